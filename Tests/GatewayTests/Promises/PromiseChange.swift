import TestSupport
import Testing

/// One thing that a run can have against it, or just not yet.
struct PromiseChange: Sendable, CustomTestStringConvertible {
    /// Nil where nothing is broken.
    let breaks: PromiseViolation.Promise?
    let testDescription: String
    let change: @Sendable (inout PromiseRun) -> Void

    init(
        _ breaks: PromiseViolation.Promise?, _ name: String,
        _ change: @escaping @Sendable (inout PromiseRun) -> Void
    ) {
        self.breaks = breaks
        testDescription = name
        self.change = change
    }
}
