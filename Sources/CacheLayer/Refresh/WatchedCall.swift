/// A call to upstream that ends at its limit, whatever the other side does.
///
/// The call keeps its limit by itself. Where it doesn't, it is left alone shortly after: a flight that never lands would
/// keep its resource from being fetched for ever, and a stop from being over.
struct WatchedCall: Sendable {
    let fetch: @Sendable (FetchOrder) async -> FetchOutcome
    let time: TimeSource

    /// So long after its limit the call is taken for cut off: well within the lease's margin.
    static let patience = Duration.seconds(1)
    /// So long after its caller was cancelled.
    static let patienceAtStop = Duration.milliseconds(400)

    func callAsFunction(_ order: FetchOrder) async -> FetchOutcome {
        let (ends, end) = AsyncStream.makeStream(of: FetchOutcome.self, bufferingPolicy: .bufferingOldest(1))
        // Loose, since nothing else can be left alone; all of them end with the call.
        let calling = Task { end.yield(await fetch(order)) }
        let watching = Task { [time] in
            guard (try? await time.sleep(order.limit + Self.patience)) != nil else { return }
            calling.cancel()
            end.yield(.cutOff)
        }
        defer { watching.cancel() }
        return await withTaskCancellationHandler {
            // A task of its own, so that cancelling the caller doesn't hide whether the call has left.
            await Task {
                for await outcome in ends { return outcome }
                return FetchOutcome.cutOff
            }.value
        } onCancel: {
            calling.cancel()
            Task { [time] in
                try? await time.sleep(Self.patienceAtStop)
                end.yield(.cutOff)
            }
        }
    }
}
