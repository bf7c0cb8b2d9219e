import CacheLayer
import EventLoop

/// Which clients the calls of this instance were made for.
///
/// Knows the demand of its own clients alone, and so accounts for the calls that it makes itself and for no others: what
/// all instances of a fleet say adds up to what they have called. Lives in memory; safe from any thread.
final class Attribution: Sendable {
    private let held = Locked(Books())
    private let now: @Sendable () -> Int64
    /// When the account begins.
    let since: UnixMilliseconds

    private struct Books {
        var demand = DemandBook()
        var month = ""
        var ofMonth = CallTally()
        var ofLife = CallTally()
    }

    init(clock: GatewayClock) {
        now = clock.milliseconds
        since = clock.wall()
    }

    /// A client was told of a resource at a reading of the clock, or waits for it.
    func asked(_ resource: Resource, by number: Int, at instant: Int64) {
        held.withLock { $0.demand.note(number, of: resource, at: instant) }
    }

    /// A resource's view is another one: with another snapshot another interval begins.
    func hear(_ news: RefreshNews) {
        guard let token = news.view.adopted?.snapshot.token else { return }
        let now = now()
        held.withLock { $0.demand.hold(token, of: news.resource, at: now) }
    }

    /// This instance has made a call.
    func made(_ call: MadeCall) {
        let now = now()
        held.withLock { books in
            let causes =
                Self.isForClients(call)
                ? books.demand.causes(of: call.resource, interval: call.interval.milliseconds, at: now) : []
            if call.month > books.month {
                books.month = call.month
                books.ofMonth = CallTally()
            }
            if call.month == books.month { books.ofMonth.add(call.callClass, causedBy: causes) }
            books.ofLife.add(call.callClass, causedBy: causes)
        }
    }

    /// This instance's calls of a month, as `YYYY-MM`; none for a month that has passed or has seen none.
    func tally(of month: String) -> CallTally {
        held.withLock { $0.month == month ? $0.ofMonth : CallTally() }
    }

    /// What each client, by its number, has asked this instance for in the last hour.
    var wants: [Int: Set<Resource>] {
        let now = now()
        return held.withLock { $0.demand.wants(at: now) }
    }

    /// All calls since the process began.
    var tally: CallTally { held.withLock { $0.ofLife } }

    /// The probe after a pause, the account and an operator's refresh are nobody's: no client has asked for them.
    private static func isForClients(_ call: MadeCall) -> Bool {
        call.callClass == call.resource.callClass && call.resource != .account
    }
}
