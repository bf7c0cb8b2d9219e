/// A fault as it was really done.
package struct ChaosEvent: Sendable, CustomStringConvertible {
    package let step: ChaosStep
    /// From its beginning until what it does is over: Unix time in ms.
    package let time: Range<Int64>
    /// What came of it, where that isn't plain.
    package let note: String

    package init(_ step: ChaosStep, _ time: Range<Int64>, note: String = "") {
        self.step = step
        self.time = time
        self.note = note
    }

    package var description: String { note.isEmpty ? "\(step)" : "\(step): \(note)" }
}
