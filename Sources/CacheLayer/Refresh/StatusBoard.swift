import EventLoop

/// The last status of the refresher, readable from any thread at any time without waiting for it.
package final class StatusBoard: Sendable {
    private let posted = Locked(RefreshStatus.empty)
    private let burned = Locked(MonthBurn())

    package init() {}

    package var status: RefreshStatus { posted.withLock { $0 } }

    /// How the month's calls have come about, as far as this instance has seen it.
    package var burn: MonthBurn { burned.withLock { $0 } }

    func post(_ status: RefreshStatus) {
        posted.withLock { $0 = status }
        if let shadow = status.shadow { burned.withLock { $0.note(shadow) } }
    }
}
