import Synchronization

/// Counters by one closed set of labels: a fixed array, so that no input can make it grow.
///
/// Safe from any thread.
package final class LabelledCounter<Label: CaseIterable & Hashable & Sendable>: Sendable
where Label: RawRepresentable, Label.RawValue == String {
    private let counters: [Label: Counter]

    package init() {
        counters = Dictionary(uniqueKeysWithValues: Label.allCases.map { ($0, Counter()) })
    }

    package func add(_ label: Label, _ amount: Int = 1) { counters[label]?.add(amount) }

    package func value(_ label: Label) -> Int { counters[label]?.value ?? 0 }

    /// Every label with its count, in the order of the label's cases.
    package var values: [(label: Label, count: Int)] { Label.allCases.map { ($0, value($0)) } }
}
