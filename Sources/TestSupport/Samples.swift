import Foundation

/// How many random cases a test takes: a tenth in the everyday run, all of them in `scripts/check --all`.
package enum Samples {
    /// Whether `FXGW_TEST_SAMPLES=all` asks for the whole number.
    package static let areAll = ProcessInfo.processInfo.environment["FXGW_TEST_SAMPLES"] == "all"

    /// The number of cases out of `all`, at least one.
    package static func count(_ all: Int) -> Int { areAll ? all : max(1, all / 10) }
}
