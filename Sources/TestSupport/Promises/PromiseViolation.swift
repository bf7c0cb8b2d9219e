/// One promise of `docs/design.md` that a recorded run has broken.
package struct PromiseViolation: Hashable, Sendable, CustomStringConvertible {
    /// The promises that can be judged from outside.
    package enum Promise: String, Sendable, CaseIterable {
        case spend = "P1"
        case truth = "P2"
        case latency = "P3"
        case order = "P4"
        case cooldown = "P5"
        case recovery = "P6"
        case exactness = "P7"
        case secrecy = "P8"
    }

    package let promise: Promise
    /// What was seen, with its numbers.
    package let text: String
    /// When, in Unix time in ms; nil where it is the whole run's.
    package let time: Int64?

    package init(_ promise: Promise, _ text: String, at time: Int64? = nil) {
        self.promise = promise
        self.text = text
        self.time = time
    }

    package var description: String { "\(promise.rawValue): \(text)" }
}
