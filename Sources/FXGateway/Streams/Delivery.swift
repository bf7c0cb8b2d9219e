/// Something that is to be told to many streams, and to whom it still has to be: so that it can be told bit by bit.
///
/// Only for its loop's thread.
struct Delivery {
    enum Content {
        /// A snapshot, with the number of its publication on this loop.
        case publication(Holding, number: UInt64)
        /// A pause, rendered.
        case cooldown(StreamEvent)
        /// The streams end.
        case end(StreamEnd)
    }

    /// What is to be done next.
    enum Step {
        /// Find out what the streams of this topic are told; `tell` says it.
        case topic(StreamTopic)
        /// Tell this stream; nil where it is an end.
        case stream(OpenStream, StreamEvent?)
    }

    let content: Content
    private var topics: ArraySlice<StreamTopic>
    private var streams: ArraySlice<OpenStream>
    private var event: StreamEvent?

    /// For the streams of topics, as they are when their turn comes.
    init(_ content: Content, to topics: [StreamTopic]) {
        self.content = content
        self.topics = topics[...]
        streams = []
    }

    /// For these streams.
    init(_ content: Content, to streams: [OpenStream]) {
        self.content = content
        topics = []
        self.streams = streams[...]
    }

    /// Takes more streams in.
    mutating func join(_ more: [OpenStream]) { streams += more }

    /// The next step; nil when all have been told.
    mutating func next() -> Step? {
        if let stream = streams.popFirst() { return .stream(stream, event) }
        return topics.popFirst().map { .topic($0) }
    }

    /// Has the streams of the topic that is at its turn told of `event`.
    mutating func tell(_ event: StreamEvent, to topic: StreamTopic) {
        self.event = event
        streams = topic.streams[...]
    }
}
