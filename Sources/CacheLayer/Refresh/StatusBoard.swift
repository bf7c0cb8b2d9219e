import EventLoop

/// The last status of the refresher, readable from any thread at any time without waiting for it.
package final class StatusBoard: Sendable {
    private let posted = Locked(RefreshStatus.empty)

    package init() {}

    package var status: RefreshStatus { posted.withLock { $0 } }

    func post(_ status: RefreshStatus) { posted.withLock { $0 = status } }
}
