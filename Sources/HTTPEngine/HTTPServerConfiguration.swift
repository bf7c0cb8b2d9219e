/// Where a server listens, and its limits.
package struct HTTPServerConfiguration: Sendable {
    package var address: SocketAddress
    /// Connections that the kernel keeps for each loop until they are accepted.
    package var backlog = 1024

    /// Bytes of a request head, request line and last empty line included; at most 65,535.
    package var headLimit = 8 * 1024
    /// Header fields of a request.
    package var fieldLimit = 64
    /// Bytes of a request target.
    package var targetLimit = 2 * 1024
    /// Bytes of a request body, without its transfer coding.
    package var bodyLimit = 64 * 1024

    /// From a head's first byte to its last.
    package var headDeadline = Duration.seconds(10)
    /// From a head's end to its body's end.
    package var bodyDeadline = Duration.seconds(20)
    /// Longest silence of a connection that waits for nothing.
    ///
    /// Longer than the usual minute of proxies, so that it is they who close.
    package var idleTimeout = Duration.seconds(75)
    /// Longest time in which a client that is behind takes less than 16 KiB.
    package var writeTimeout = Duration.seconds(20)
    /// How long input is read and dropped after a half-close, so that the client can read its last answer (RFC 9112
    /// section 9.6).
    package var lingerTimeout = Duration.seconds(2)
    /// Bytes dropped in that time at most.
    package var lingerLimit = 4 * 1024 * 1024
    /// How long a connection that is idle when a drain begins may still bring the request that is on its way.
    package var drainGrace = Duration.milliseconds(200)

    /// Open connections of the whole server.
    ///
    /// The newest beyond it is answered 503; while too many of those are still being closed, accepting stops and the
    /// kernel's backlog holds the rest.
    package var maxConnections = 10_000
    /// Parked requests of one loop.
    package var maxParkedPerLoop = 10_000
    /// Unsent bytes of one stream; a reader that falls further behind is dropped.
    package var maxOutput = 256 * 1024
    /// Bytes that the kernel holds of one stream, as `SO_SNDBUF` takes them; nil leaves it to the kernel, which may come to
    /// several MiB for a reader that doesn't read.
    package var streamSendBuffer: Int?
    /// Longest time in which a stream's client confirms nothing of what was sent to it (RFC 5482), in whole milliseconds; nil
    /// leaves it to the kernel, which waits a quarter of an hour for one that has vanished, and for ever for one that doesn't
    /// read.
    package var streamTimeout: Duration?

    package init(address: SocketAddress) {
        self.address = address
    }

    /// What all connections' deadlines are rounded up to: fine enough for the shortest of them.
    var tick: Duration {
        let shortest = min(headDeadline, bodyDeadline, idleTimeout, writeTimeout, lingerTimeout)
        return min(max(shortest / 8, .milliseconds(10)), .milliseconds(250))
    }
}
