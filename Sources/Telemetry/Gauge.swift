import Synchronization

/// A number that goes up and down.
///
/// Safe from any thread.
package final class Gauge: Sendable {
    private let number: Atomic<Int>

    package init(_ value: Int = 0) { number = Atomic(value) }

    package var value: Int { number.load(ordering: .relaxed) }

    package func set(_ value: Int) { number.store(value, ordering: .relaxed) }

    package func add(_ amount: Int) { number.wrappingAdd(amount, ordering: .relaxed) }
}
