/// The open streams of one filter on one loop.
///
/// Only for its loop's thread.
final class StreamTopic {
    let filter: StreamFilter
    private(set) var streams: [OpenStream] = []
    /// From this instant on, on the loop's clock, what it was told of last isn't fresh any more.
    var staleFrom = Int64.min

    init(_ filter: StreamFilter) { self.filter = filter }

    func add(_ stream: OpenStream) {
        stream.place = streams.count
        streams.append(stream)
    }

    func remove(_ stream: OpenStream) {
        guard let last = streams.popLast(), last !== stream else { return }
        streams[stream.place] = last
        last.place = stream.place
    }
}
