import HTTPEngine

/// What a process allows its streams.
enum StreamLimits {
    /// Every other connection may be a stream: there is always a place for requests.
    static let share = 2
    /// So many bytes of what a client has missed are told at once; what is older counts as a gap.
    static let replay = 64 << 10
    /// Bytes that may wait for a stream's reader here: what it has missed, as much again, and some.
    static let backlog = 2 * replay + (16 << 10)
    /// Bytes that may wait for it in the kernel, which doubles them for its own records.
    static let sendBuffer = 32 << 10
    /// Four heartbeats that nobody has confirmed: whoever has vanished without a word has no place any longer.
    static let silence = Duration.seconds(60)

    /// Has a server keep these bounds.
    static func hold(in configuration: inout HTTPServerConfiguration) {
        configuration.maxOutput = backlog
        configuration.streamSendBuffer = sendBuffer
        configuration.streamTimeout = silence
    }
}
