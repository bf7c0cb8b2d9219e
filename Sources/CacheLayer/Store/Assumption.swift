/// Calls that may have been made this month and that nobody who lives has seen.
///
/// Replaced by evidence; scales with the plan that turns out to be true.
struct Assumption: Hashable, Sendable {
    /// Calls, as a part of `plan`.
    let calls: Int64
    /// The monthly plan that the estimate was made for.
    let plan: Int64
    let reason: Reason
    /// When it was made, in milliseconds of the store's clock.
    let since: Int64

    enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The part of the month before the fleet's first control.
        case before
        /// What members that did not come back may have spent around a loss of the control.
        case lost
    }

    /// The estimate under a limit: in proportion where the true plan is smaller, rounded up.
    func calls(under limit: Int64) -> Int64 {
        guard limit < plan else { return calls }
        return (calls * limit + plan - 1) / plan
    }
}
