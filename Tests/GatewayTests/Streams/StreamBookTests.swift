import CacheLayer
import HTTPEngine
import Testing

@testable import FXGateway

@Suite("The streams of a loop")
struct StreamBookTests {
    private static func filter(_ base: Currency, _ kinds: Set<StreamKind> = [.snapshot]) -> StreamFilter {
        StreamFilter(base: base, symbols: nil, numbers: .number, kinds: kinds)
    }

    /// A book that is written in by number.
    private final class Open {
        var book = StreamBook()

        // A stream and its topic hold each other until it is taken out.
        deinit { for stream in book.all { _ = book.remove(stream.id) } }

        func add(_ number: UInt64, _ filter: StreamFilter, since: Int64 = 0) {
            book.add(
                OpenStream(
                    ConnectionID(rawValue: number), topic: book.topic(of: filter), seen: 0, known: nil,
                    client: ClientNames.unnamed, token: nil, since: since, mark: nil))
        }

        func remove(_ number: UInt64) -> Bool { book.remove(ConnectionID(rawValue: number)) != nil }

        /// Those that are due.
        func beats(at now: Int64) -> [UInt64] {
            var ids: [UInt64] = []
            while let stream = book.nextBeat(at: now) { ids.append(stream.id.rawValue) }
            return ids
        }
    }

    @Test("with one filter have one topic, which goes with the last of them")
    func topics() {
        let open = Open()
        for number in 1...3 { open.add(UInt64(number), Self.filter(.usd)) }
        open.add(4, Self.filter(.eur))
        open.add(5, Self.filter(.usd, [.cooldown]))
        #expect(open.book.count == 5 && open.book.topics.count == 3)
        let topic = open.book.topic(of: Self.filter(.usd))
        #expect(topic.streams.map(\.id.rawValue) == [1, 2, 3])
        #expect(open.remove(1))
        #expect(topic.streams.map(\.id.rawValue) == [3, 2])
        #expect(open.remove(3))
        #expect(!open.remove(3))
        #expect(topic.streams.map(\.id.rawValue) == [2])
        #expect(open.remove(2))
        #expect(topic.streams.isEmpty && open.book.topics.count == 2)
        #expect(open.book.topic(of: Self.filter(.usd)) !== topic)
    }

    @Test("are due for a heartbeat after fifteen seconds each, and again after fifteen more")
    func heartbeats() {
        let open = Open()
        open.add(1, Self.filter(.usd), since: 0)
        open.add(2, Self.filter(.usd), since: 1_000)
        #expect(open.beats(at: 14_999).isEmpty)
        #expect(open.beats(at: 15_000) == [1])
        #expect(open.beats(at: 15_999).isEmpty)
        #expect(open.beats(at: 16_000) == [2])
        #expect(open.beats(at: 29_999).isEmpty)
        #expect(open.beats(at: 40_000) == [1, 2])
        #expect(open.beats(at: 54_999).isEmpty)
        #expect(open.remove(1))
        #expect(open.beats(at: 55_000) == [2])
    }

    @Test("that have left are forgotten, however many come and go")
    func crowd() {
        let open = Open()
        for number in 1...10_000 {
            open.add(UInt64(number), Self.filter(.usd), since: Int64(number))
            if number > 10 { #expect(open.remove(UInt64(number - 10))) }
        }
        #expect(open.book.count == 10)
        #expect(open.book.waitingBeats < 100)
        #expect(open.beats(at: 100_000).count == 10)
        for round in 2...2_000 { #expect(open.beats(at: Int64(round) * 100_000).count == 10) }
        #expect(open.book.waitingBeats < 3_000)
    }

    @Test("are told bit by bit, each once, in the order of what there is to tell")
    func delivery() throws {
        let open = Open()
        for number in 1...3 { open.add(UInt64(number), Self.filter(.usd)) }
        let topic = open.book.topic(of: Self.filter(.usd))
        let event = StreamEvent(nil, of: .latest(base: .usd))
        var delivery = Delivery(.cooldown(event), to: [topic])
        guard case .topic(let first) = delivery.next() else {
            Issue.record("a topic comes first")
            return
        }
        delivery.tell(event, to: first)
        var told: [UInt64] = []
        while case .stream(let stream, let what) = delivery.next() {
            #expect(what === event)
            told.append(stream.id.rawValue)
            // Whoever leaves meanwhile makes nobody else be passed over.
            _ = open.remove(1)
        }
        #expect(told == [1, 2, 3])
        var empty = Delivery(.cooldown(event), to: [StreamTopic]())
        let isOver = empty.next() == nil
        #expect(isOver)
    }

    @Test("the shelf of events keeps to its bytes and gives nothing whose state has changed")
    func shelf() {
        var shelf = EventShelf(byteLimit: 400)
        let event = StreamEvent(nil, of: .latest(base: .usd))
        func key(_ second: Int64) -> EventShelf.Key {
            EventShelf.Key(
                selection: Self.filter(.usd).selection,
                snapshot: SnapshotID(fetchedAt: UnixMilliseconds(second * 1_000), digest: [1, 2, 3, 4]),
                isGap: false)
        }
        for second in 1...4 { shelf.insert(event, for: key(Int64(second))) }
        #expect((50..<100).contains(event.piece.count))
        #expect(shelf.find(key(4), at: 0) === event)
        #expect(shelf.find(key(4), at: .max) == nil)
        for second in 5...9 { shelf.insert(event, for: key(Int64(second))) }
        #expect(shelf.find(key(1), at: 0) == nil)
        #expect(shelf.find(key(9), at: 0) === event)
        shelf.removeAll()
        #expect(shelf.find(key(9), at: 0) == nil)
    }
}
