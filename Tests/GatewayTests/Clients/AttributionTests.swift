import CacheLayer
import TestSupport
import Testing

@testable import FXGateway

@Suite("Attribution of calls")
struct AttributionTests {
    private static let usd = Resource.latest(base: .usd)
    private static let eur = Resource.latest(base: .eur)
    private static let minute: Int64 = 60_000
    private static let a = 3
    private static let b = 4

    private func book(_ fill: (inout DemandBook) -> Void) -> DemandBook {
        var book = DemandBook()
        fill(&book)
        return book
    }

    private func causes(_ book: DemandBook, interval: Int64, at now: Int64) -> [Int] {
        var book = book
        return book.causes(of: Self.usd, interval: interval, at: now).sorted()
    }

    @Test("a call is shared by those who have asked for the resource since the last snapshot came")
    func interval() {
        let book = book {
            $0.note(Self.a, of: Self.usd, at: 0)
            $0.hold(FencingToken(1), of: Self.usd, at: 1_000)
            $0.note(Self.b, of: Self.usd, at: 1_500)
            $0.note(5, of: Self.eur, at: 1_500)
            // The same snapshot under another condition is no other interval.
            $0.hold(FencingToken(1), of: Self.usd, at: 2_000)
        }
        #expect(causes(book, interval: 2_000, at: 3_000) == [Self.b])
    }

    @Test("one who asked longer ago than the interval doesn't share, edges in pairs")
    func lapse() {
        let interval = 10 * Self.minute
        for (now, expected) in [(11 * Self.minute, [Self.a, Self.b]), (11 * Self.minute + 1, [Self.b])] {
            let book = book {
                $0.note(Self.a, of: Self.usd, at: 0)
                $0.note(Self.b, of: Self.usd, at: now - 1)
            }
            #expect(causes(book, interval: interval, at: now) == expected)
        }
    }

    @Test("if nobody asked in the interval, the call is of those whose use in the last hour keeps it going")
    func keeping() {
        let book = book {
            $0.note(Self.a, of: Self.usd, at: 0)
            for token in 1...59 {
                $0.hold(FencingToken(Int64(token)), of: Self.usd, at: Int64(token) * Self.minute)
            }
        }
        #expect(causes(book, interval: Self.minute, at: 59 * Self.minute + 1) == [Self.a])
        #expect(causes(book, interval: Self.minute, at: 61 * Self.minute) == [Self.a])
        #expect(causes(book, interval: Self.minute, at: 61 * Self.minute + 1) == [])
    }

    @Test("demand is what was asked for in the last hour, and as much longer as it may be told late")
    func wants() {
        let book = book {
            $0.note(Self.a, of: Self.usd, at: 0)
            $0.note(Self.a, of: Self.eur, at: 1)
            $0.note(Self.b, of: Self.eur, at: 0)
        }
        #expect(book.wants(at: 61 * Self.minute) == [Self.a: [Self.usd, Self.eur], Self.b: [Self.eur]])
        #expect(book.wants(at: 61 * Self.minute + 1) == [Self.a: [Self.eur]])
        #expect(book.wants(at: 61 * Self.minute + 2) == [:])
    }

    @Test("a failed call ends no interval: those who still wait share the next one too")
    func failed() {
        var book = book { $0.note(Self.a, of: Self.usd, at: 0) }
        #expect(book.causes(of: Self.usd, interval: 2_000, at: 10) == [Self.a])
        #expect(book.causes(of: Self.usd, interval: 2_000, at: 1_010) == [Self.a])
    }

    private func call(
        _ resource: Resource = usd, _ callClass: String? = nil, month: String = "2026-11"
    ) -> MadeCall {
        MadeCall(
            resource: resource, callClass: callClass ?? resource.callClass, month: month,
            interval: .seconds(60))
    }

    @Test("warm start, account, probe and forced calls are nobody's; the others their clients'")
    func classes() {
        let time = ManualTime(wall: SampleTable.fetchedAt)
        let attribution = Attribution(clock: GatewayClock(time.source))
        attribution.made(call())
        attribution.asked(Self.usd, by: Self.a, at: 0)
        attribution.asked(.account, by: Self.a, at: 0)
        attribution.made(call())
        attribution.made(call(.account))
        attribution.made(call(Self.usd, "probe"))
        attribution.made(call(Self.usd, "forced"))
        let tally = attribution.tally(of: "2026-11")
        #expect(tally.shares == [ClientNames.none: 4_000_000, Self.a: 1_000_000])
        #expect(tally.classes == ["latest": 2, "account": 1, "probe": 1, "forced": 1])
        #expect(tally == attribution.tally)
    }

    @Test("C4: calls belong to the month of their grant, and a new month begins with none")
    func months() {
        let attribution = Attribution(clock: GatewayClock(ManualTime(wall: SampleTable.fetchedAt).source))
        attribution.made(call())
        attribution.made(call(month: "2026-12"))
        // Granted before midnight, settled after a call of the new month.
        attribution.made(call(month: "2026-11"))
        #expect(attribution.tally(of: "2026-12").calls == 1)
        #expect(attribution.tally(of: "2026-11").calls == 0)
        #expect(attribution.tally(of: "2027-01").calls == 0)
        #expect(attribution.tally.calls == 3)
    }

    @Test("the report has every client of the file, and of the others those that count, dearest first")
    func report() {
        let names = ClientNames()
        let set = ClientSet(
            [SampleClients.entry("quiet", "1", perMinute: 9), SampleClients.entry("busy", "2")], names: names)
        let counters = [ClientCounters(), ClientCounters()]
        counters[0].countRequest(of: names.number(of: "busy"))
        counters[1].countRequest(of: names.number(of: "busy"))
        counters[1].countLimited(of: names.number(of: "busy"))
        var tally = CallTally()
        tally.add("latest", causedBy: [])
        tally.add("latest", causedBy: [names.number(of: "busy")])
        tally.add("latest", causedBy: [names.number(of: "busy")])
        let rows = ClientReport(names.all, clients: set, counters: counters, tally: tally).rows
        #expect(rows.map(\.name) == ["busy", "(none)", "quiet"])
        #expect(rows.map(\.share) == [2_000_000, 1_000_000, 0])
        #expect(rows.map(\.isVerified) == [true, false, true])
        #expect(rows[0].requests == 2 && rows[0].limited == 1)
        #expect(rows[2].perMinute == 9)
        let wants = [names.number(of: "quiet"): Set([Self.usd, Self.eur])]
        let wanting = ClientReport(names.all, clients: set, counters: [], tally: tally, wants: wants).rows
        #expect(wanting.map(\.resources) == [[], [], ["latest:EUR", "latest:USD"]])
        let open = ClientReport(names.all, clients: nil, counters: counters, tally: CallTally()).rows
        #expect(open.map(\.name) == ["busy"])
        #expect(open.map(\.isVerified) == [false])
    }
}
