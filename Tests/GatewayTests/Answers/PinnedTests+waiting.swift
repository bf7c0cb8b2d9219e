import CacheLayer
import TestSupport
import Testing

@testable import FXGateway

/// Where past snapshots come from, and the wait for them.
extension PinnedTests {
    @Test("the snapshot that is held answers from memory; others are asked for once and then kept in memory")
    func memory() async throws {
        try await Self.run { week in
            week.rig.archive.set(.away)
            try week.expect("/v1/latest?snapshot=\(week.new.id)", 200)
            #expect(week.rig.archive.asked.isEmpty)
            week.rig.archive.set(.answers)
            for target in Self.targets {
                try week.expect(Self.pinned(target, "snapshot=\(week.old.id)"), 200)
            }
            #expect(week.rig.archive.asked == [.id(week.old.id)])
            // Asking for the past is no demand for the present.
            let before = week.rig.wants.count
            try week.expect("/v1/latest?snapshot=\(week.old.id)", 200)
            #expect(week.rig.wants.count == before)
        }
    }

    @Test("a store that can't be asked is 503, never 410: no and could not ask are different")
    func away() async throws {
        try await Self.run { week in
            week.rig.archive.set(.away)
            for target in ["/v1/snapshots/\(week.old.id)", "/v1/latest?as_of=2026-06-16"] {
                let answer = try week.rig.ask(target)
                #expect(answer.status == 503)
                #expect(answer.text.contains("urn:fxgateway:problem:store-unavailable"))
                #expect(answer.field("retry-after") == "1")
            }
            week.rig.archive.set(.answers)
            try week.expect("/v1/snapshots/\(week.old.id)", 200)
        }
    }

    @Test("a crowd waits for one question, each with its own request, and the loop goes on meanwhile")
    func crowd() async throws {
        try await Self.run { week in
            week.rig.archive.set(.silent)
            let targets = Self.targets.map { Self.pinned($0, "snapshot=\(week.old.id)") }
            var clients: [RawHTTPClient] = []
            for target in targets + targets {
                let client = try week.rig.client()
                try client.send(GatewayRig.request(target))
                clients.append(client)
            }
            let all = await eventually(within: .seconds(2)) { await week.rig.replaying() == 10 }
            #expect(all)
            clients[0].close()
            try week.expect("/v1/latest", 200)
            try week.expect("/v1/latest?snapshot=\(week.new.id)", 200)
            let onlyIfCached = ["Cache-Control: only-if-cached"]
            try week.expect(targets[0], 504, fields: onlyIfCached)
            // News of rates don't concern those who wait for the past.
            await week.rig.hold(Self.newRates, token: 3, fetchedAt: week.rig.time.wall)
            #expect(await week.rig.replaying() >= 9)
            week.rig.archive.speak()
            for client in clients.dropFirst() {
                #expect(try client.answers(1).answers.first?.status == 200)
            }
            #expect(week.rig.archive.asked == [.id(week.old.id)])
            #expect(await week.rig.replaying() == 0)
        }
    }

    @Test("the wait for a silent store ends at its limit")
    func limit() async throws {
        try await Self.run { week in
            week.rig.archive.set(.silent)
            let client = try week.rig.client()
            try client.send(GatewayRig.request("/v1/snapshots/\(week.old.id)"))
            let isWaiting = await eventually(within: .seconds(2)) { await week.rig.replaying() == 1 }
            #expect(isWaiting)
            week.rig.time.advance(by: .milliseconds(4_999))
            try await Task.sleep(for: .milliseconds(60))
            #expect(await week.rig.replaying() == 1)
            week.rig.time.advance(by: .milliseconds(1))
            let answer = try #require(try client.answers(1).answers.first)
            #expect(answer.status == 503 && answer.text.contains("store-unavailable"))
            week.rig.archive.speak()
        }
    }

    @Test("so many different questions wait at once; one more is told to come back")
    func mostLookups() async throws {
        try await Self.run { week in
            week.rig.archive.set(.silent)
            let client = try week.rig.client()
            var clients: [RawHTTPClient] = [client]
            let second = week.old.fetchedAt
            for number in 0..<GatewayApplication.mostLookups {
                let client = try week.rig.client()
                let instant = (second + .seconds(number)).rfc3339
                try client.send(GatewayRig.request("/v1/latest?as_of=\(instant)"))
                clients.append(client)
            }
            let isFull = await eventually(within: .seconds(5)) {
                await week.rig.replaying() == GatewayApplication.mostLookups
            }
            #expect(isFull)
            let more = try week.rig.ask("/v1/snapshots/\(week.old.id)")
            #expect(more.status == 503 && more.text.contains("overloaded"))
            week.rig.archive.speak()
            for client in clients.dropFirst() {
                #expect(try client.answers(1).answers.first?.status == 200)
            }
        }
    }
}
