import HTTPEngine

/// The open streams of one loop: by connection, by filter, and by when each is due for a heartbeat.
///
/// Only for its loop's thread.
struct StreamBook {
    /// Shorter than the least that proxies allow a silence to last.
    static let beat: Int64 = 15_000

    private var streams: [ConnectionID: OpenStream] = [:]
    private var known: [StreamFilter: StreamTopic] = [:]
    /// In the order of their times, since all wait equally long; with ids that have gone meanwhile.
    private var beats: [(due: Int64, id: ConnectionID)] = []
    private var firstBeat = 0

    var isEmpty: Bool { streams.isEmpty }
    var count: Int { streams.count }
    /// Heartbeats that are noted, those of streams that have gone among them.
    var waitingBeats: Int { beats.count }
    var all: [OpenStream] { Array(streams.values) }
    var topics: [StreamTopic] { Array(known.values) }

    /// The topic of a filter: the one that there is, or a new one.
    func topic(of filter: StreamFilter) -> StreamTopic { known[filter] ?? StreamTopic(filter) }

    /// Takes a stream in; its first heartbeat is due in fifteen seconds.
    mutating func add(_ stream: OpenStream) {
        streams[stream.id] = stream
        stream.topic.add(stream)
        known[stream.topic.filter] = stream.topic
        beats.append((stream.since + Self.beat, stream.id))
    }

    /// Takes a stream out; nil if there is none of that id.
    mutating func remove(_ id: ConnectionID) -> OpenStream? {
        guard let stream = streams.removeValue(forKey: id) else { return nil }
        stream.topic.remove(stream)
        if stream.topic.streams.isEmpty { known[stream.topic.filter] = nil }
        // A crowd that has left must not be kept by name.
        if beats.count > 64, beats.count > 4 * streams.count {
            beats = beats[firstBeat...].filter { streams[$0.id] != nil }
            firstBeat = 0
        }
        return stream
    }

    func has(_ id: ConnectionID) -> Bool { streams[id] != nil }

    /// The next stream whose heartbeat is due at `now`, which is due again in fifteen seconds; nil if there is none.
    mutating func nextBeat(at now: Int64) -> OpenStream? {
        while firstBeat < beats.count, beats[firstBeat].due <= now {
            let id = beats[firstBeat].id
            firstBeat += 1
            if firstBeat > 1_024, firstBeat > beats.count / 2 {
                beats.removeFirst(firstBeat)
                firstBeat = 0
            }
            guard let stream = streams[id] else { continue }
            beats.append((now + Self.beat, id))
            return stream
        }
        return nil
    }
}
