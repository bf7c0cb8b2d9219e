import Foundation

/// Every new table of a base, as it comes: the events of a gateway's `/v1/stream`.
///
/// Connects when the first element is asked for, comes back by itself where the connection is lost or its TLS handshake cut (with what the gateway
/// needs to tell what was missed), and goes on until the task is cancelled, the iterator is dropped or the gateway refuses it for
/// good, which is thrown. Waits between connections follow the server's `retry`, grow to a minute and are spread by chance.
/// A connection on which nothing comes for 45 s, not even the gateway's comments, counts as lost.
///
/// Each iterator has a connection of its own; an iterator is for one task.
public struct RateStream: AsyncSequence, Sendable {
    /// What a stream tells.
    public typealias Element = StreamEvent
    /// Why a stream ends that was not cancelled.
    public typealias Failure = ExchangeRateError

    /// How long nothing may come: the gateway sends a comment every 15 s.
    public static let silence = Duration.seconds(45)

    let client: ExchangeRateClient
    let query: [(String, String)]
    let lastID: String?
    let buffer: Int

    /// Opens no connection yet.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Takes the events of a stream in their order.
    public struct Iterator: AsyncIteratorProtocol, CustomReflectable {
        private let stream: RateStream
        private var connection: OpenStream?
        private var recovery = StreamRecovery()
        private var lastID: String?
        /// The wait before the next connection, once the end of the last one has been told.
        private var pending: Duration?
        private var hasBegun = false
        private var isOver = false

        init(_ stream: RateStream) {
            self.stream = stream
            lastID = stream.lastID
        }

        /// Shows nothing of the inside, whose request holds the token.
        public var customMirror: Mirror { Mirror(self, children: []) }

        /// The next event; nil once the task is cancelled.
        ///
        /// - Throws: what the gateway refuses the stream with for good, such as `forbidden`, or `status` of 422: with
        ///   `unsupportedBase` at the beginning, without a code where upstream drops base or symbols later.
        public mutating func next() async throws(ExchangeRateError) -> StreamEvent? {
            let around = stream.client.surroundings
            while !isOver {
                if let wait = pending {
                    pending = nil
                    do {
                        try await around.sleep(wait)
                    } catch {
                        return finish()
                    }
                }
                let connection: OpenStream
                do throws(ExchangeRateError) {
                    guard let opened = try await connected() else { return finish() }
                    connection = opened
                } catch .cancelled {
                    return finish()
                } catch .tokenUnavailable where hasBegun {
                    // Whose token could be had before, will have one again.
                    return try interrupt(.tokenUnavailable)
                } catch {
                    isOver = true
                    throw error
                }
                switch await connection.exchange.next(silence: RateStream.silence, sleep: around.sleep) {
                case .alive: continue
                case .retry(let wait): recovery.adopt(retry: wait)
                case .event(let event, let isAfterLoss):
                    if let told = try read(event, isAfterLoss: isAfterLoss) { return told }
                case .silent: return try interrupt(.timedOut(after: RateStream.silence))
                case .ended(.failed(.cancelled)): return finish()
                case .ended(let ending): return try interrupt(stream.client.streamError(ending))
                }
            }
            return nil
        }

        private mutating func connected() async throws(ExchangeRateError) -> OpenStream? {
            guard !Task.isCancelled else { return nil }
            if let connection { return connection }
            let opened = try await stream.client.open(
                query: stream.query, lastID: lastID, buffer: stream.buffer)
            opened.exchange.start()
            connection = opened
            hasBegun = true
            return opened
        }

        private mutating func read(
            _ event: ServerSentEvent, isAfterLoss: Bool
        ) throws(ExchangeRateError) -> StreamEvent? {
            do throws(ExchangeRateError) {
                switch event.name {
                case _ where event.isTable:
                    let told = try StreamEventReader.table(event, isAfterLoss: isAfterLoss)
                    recovery.succeed()
                    if !event.id.isEmpty { lastID = event.id }
                    return .table(told)
                case "cooldown":
                    recovery.succeed()
                    return .cooldown(try StreamEventReader.cooldown(event))
                case "end":
                    connection = nil
                    let farewell = StreamEventReader.farewell(event)
                    switch recovery.next(after: farewell, chance: stream.client.surroundings.chance) {
                    case .comeBack(let wait): pending = wait
                    case .stop(let error): throw error
                    }
                    return nil
                // There may be more kinds of events one day.
                default: return nil
                }
            } catch {
                isOver = true
                connection = nil
                throw error
            }
        }

        /// Tells of a lost connection, or throws what ends the stream.
        private mutating func interrupt(_ error: ExchangeRateError) throws(ExchangeRateError) -> StreamEvent?
        {
            connection = nil
            switch recovery.next(after: error, chance: stream.client.surroundings.chance) {
            case .comeBack(let wait):
                pending = wait
                return .interrupted(error, wait: wait)
            case .stop(let error):
                isOver = true
                throw error
            }
        }

        private mutating func finish() -> StreamEvent? {
            isOver = true
            connection = nil
            return nil
        }
    }
}
