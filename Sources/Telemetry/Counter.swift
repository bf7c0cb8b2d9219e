import Synchronization

/// A number that only grows.
///
/// Adding is one relaxed atomic instruction; reading may be from any thread.
package final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    package init() {}

    package var value: Int { count.load(ordering: .relaxed) }

    package func add(_ amount: Int = 1) { count.wrappingAdd(amount, ordering: .relaxed) }
}
