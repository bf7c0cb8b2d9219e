import Testing

@testable import CacheLayer
@testable import FXGateway

@Suite("The facts that a page says of the fleet", .timeLimit(.minutes(3)))
struct PlainFactsTests {
    /// As told `later` than the first time, by a store whose clock is what it counts with.
    private static func status(
        later: Duration = .zero, members: [Shadow.Member] = [], isReachable: Bool = true
    ) -> RefreshStatus {
        let pause = Shadow.Cooldown(
            scope: .key, rest: .milliseconds(90_400) - later, strikes: 1, reason: "rate_limited")
        let shadow = Shadow(
            now: SampleTable.fetchedAt + later, birth: "b", epoch: .none, month: "2026-09", counted: 4_137,
            reserved: 1, plan: 10_000, cooldowns: [pause], nextAt: nil)
        return RefreshStatus(
            shadow: shadow, shadowAge: .milliseconds(7), instances: nil, key: .anonymous,
            isStoreReachable: isReachable, resources: [], flights: [], hasTriedToLoad: true, offlineCalls: 0,
            offlineLastHour: 0, offlineRefusal: nil, missedPublications: [:], members: members)
    }

    private static func page(later: Duration) -> [UInt8] {
        PlainForm.markup(
            of: PlainFacts(
                of: status(later: later), fleet: "f", degraded: [], store: StoreView(link: nil),
                policy: TierPolicy(), now: ContinuousClock.now.advanced(by: later)))
    }

    @Test("the same facts are the same bytes at each look, so that the entity tag stays")
    func stable() {
        let page = Self.page(later: .zero)
        #expect(String(decoding: page, as: UTF8.self).contains("rate_limited until 2"))
        for later in [1, 599, 600, 1_003, 40_000] {
            #expect(Self.page(later: .milliseconds(later)) == page, "\(later) ms later")
        }
        #expect(Self.page(later: .seconds(91)) != page)
    }

    @Test("this instance is among the instances and seen now, however long the store has been away")
    func itself() {
        func text(_ members: [Shadow.Member]) -> String {
            var json = JSONText()
            json.beginObject()
            FleetText.addInstances(
                to: &json, Self.status(members: members, isReachable: false), ownName: "b:2")
            json.endObject()
            return String(decoding: json.bytes, as: UTF8.self)
        }
        let other = Shadow.Member(name: "a:1", idle: .seconds(70))
        let own = #"{"name":"b:2","seen_ms_ago":0,"is_this_instance":true}"#
        let told = #"{"name":"a:1","seen_ms_ago":70000,"is_this_instance":false}"#
        #expect(
            text([Shadow.Member(name: "b:2", idle: .seconds(71)), other])
                == #"{"instances":[\#(told),\#(own)]}"#)
        #expect(text([]) == #"{"instances":[\#(own)]}"#)
    }
}
