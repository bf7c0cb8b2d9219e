@preconcurrency import Dispatch
import Glibc

/// What the operating system asks of the process.
enum StopSignal: Sendable {
    /// SIGTERM or SIGINT: drain and end.
    case stop
    /// SIGHUP: read the secrets and the clients file again.
    case reload

    /// The signals from now on; they no longer end the process by themselves.
    static func stream() -> AsyncStream<StopSignal> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: StopSignal.self, bufferingPolicy: .bufferingOldest(16))
        let meanings: [(Int32, StopSignal)] = [(SIGTERM, .stop), (SIGINT, .stop), (SIGHUP, .reload)]
        for (number, meaning) in meanings {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { @Sendable in continuation.yield(meaning) }
            // Held by the stream's end, so that they live as long as somebody listens.
            continuation.onTermination = Self.adding(source, to: continuation.onTermination)
            source.activate()
        }
        return stream
    }

    private static func adding(
        _ source: any DispatchSourceSignal,
        to earlier: (@Sendable (AsyncStream<StopSignal>.Continuation.Termination) -> Void)?
    ) -> @Sendable (AsyncStream<StopSignal>.Continuation.Termination) -> Void {
        { termination in
            source.cancel()
            earlier?(termination)
        }
    }
}
