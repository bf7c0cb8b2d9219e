import Synchronization

/// What is left of one client's allowance in this process: one atomic word, shared by all event loops.
///
/// Safe from any thread; never waits.
final class AllowanceCell: Sendable {
    let allowance: Allowance
    private let wholeAt = Atomic<Int64>(Allowance.whole)

    init(_ allowance: Allowance) { self.allowance = allowance }

    /// Takes one request out of it, at a reading of the measuring clock in milliseconds.
    func take(at milliseconds: Int64) -> Allowance.Decision {
        let now = milliseconds * 1_000_000
        var known = wholeAt.load(ordering: .relaxed)
        while true {
            let decision = allowance.decide(wholeAt: known, at: now)
            guard case .admitted(let next, _, _) = decision else { return decision }
            // Another loop may have taken one meanwhile: then by what it has left.
            let (isTaken, found) = wholeAt.weakCompareExchange(
                expected: known, desired: next, ordering: .relaxed)
            if isTaken { return decision }
            known = found
        }
    }
}
