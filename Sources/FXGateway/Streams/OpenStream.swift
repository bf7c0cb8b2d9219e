import CacheLayer
import HTTPEngine

/// One open stream.
///
/// Only for its loop's thread.
final class OpenStream {
    let id: ConnectionID
    let topic: StreamTopic
    /// Its place among the streams of its topic.
    var place = 0
    /// The number of the newest publication that it has been told of, or that came before it.
    var seen: UInt64
    /// A snapshot that it knows already from a peer, and that hasn't come here yet.
    let known: SnapshotID?
    /// By what its client is counted.
    let client: Int
    /// What its client's token must stay good for; nil without a clients file.
    let token: TokenDigest?
    /// When it was opened, on the loop's clock.
    let since: Int64
    /// For the access log; nil while that is off.
    let mark: RequestMark?

    init(
        _ id: ConnectionID, topic: StreamTopic, seen: UInt64, known: SnapshotID?, client: Int,
        token: TokenDigest?, since: Int64, mark: RequestMark?
    ) {
        self.id = id
        self.topic = topic
        self.seen = seen
        self.known = known
        self.client = client
        self.token = token
        self.since = since
        self.mark = mark
    }
}
