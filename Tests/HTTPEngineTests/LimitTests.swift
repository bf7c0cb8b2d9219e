import Glibc
import HTTPEngine
import TestSupport
import Testing

private let get = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"

extension OnSockets {
    @Suite("Limits and deadlines")
    struct LimitTests {
        @Test("T6: a head that doesn't end gets 408 at its deadline, however busily it drips")
        func slowHead() async throws {
            try await ServerUnderTest.run({ $0.headDeadline = .milliseconds(400) }) { server in
                let client = try server.client()
                try client.send("GET /healthz HTTP/1.1\r\nHost: a\r\nX: ")
                let start = ContinuousClock.now
                var end = RawHTTPClient.End.timedOut
                while end == .timedOut, ContinuousClock.now - start < .seconds(5) {
                    try? client.send("x")
                    end = client.read(within: .milliseconds(20)) { !$0.isEmpty }
                }
                let elapsed = ContinuousClock.now - start
                #expect(try client.answers(1).answers.first?.status == 408)
                #expect(elapsed >= .milliseconds(400) && elapsed < .seconds(2))
                #expect(client.isClosedByServer())
                #expect(server.server.counts.faults(.headTimedOut) == 1)
            }
        }

        @Test("a silent connection is closed without a word", arguments: [true, false])
        func idle(hasAsked: Bool) async throws {
            try await ServerUnderTest.run({ $0.idleTimeout = .milliseconds(300) }) { server in
                let client = try server.client()
                if hasAsked { _ = try client.exchange(get) }
                let start = ContinuousClock.now
                #expect(client.isClosedByServer())
                #expect(client.pending.isEmpty)
                let elapsed = ContinuousClock.now - start
                #expect(elapsed >= .milliseconds(290) && elapsed < .seconds(2))
            }
        }

        @Test("requests keep a connection open beyond the idle time")
        func busy() async throws {
            try await ServerUnderTest.run({ $0.idleTimeout = .milliseconds(300) }) { server in
                let client = try server.client()
                for _ in 0..<8 {
                    #expect(try client.exchange(get).status == 200)
                    usleep(100_000)
                }
            }
        }

        @Test("a parked request outlives all deadlines")
        func parkedStays() async throws {
            try await ServerUnderTest.run({
                $0.idleTimeout = .milliseconds(100)
                $0.headDeadline = .milliseconds(100)
            }) { server in
                let client = try server.client()
                try client.send("GET /park HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(client.read(within: .milliseconds(400)) == .timedOut)
                server.server.resume(try #require(server.log.now.parked.first), Answers.found)
                #expect(try client.answers(1).answers.first?.text == "found")
            }
        }

        @Test("T6: a reader that doesn't read is cut off")
        func noReader() async throws {
            try await ServerUnderTest.run({ $0.writeTimeout = .milliseconds(300) }) { server in
                let client = try server.client(receiveBuffer: 4096)
                try client.send(String(repeating: "GET /large HTTP/1.1\r\nHost: a\r\n\r\n", count: 50))
                #expect(await eventually(within: .seconds(5)) { server.server.counts.accepted == 1 })
                #expect(await eventually(within: .seconds(5)) { server.server.counts.open == 0 })
                #expect(try server.client().exchange(get).status == 200)
            }
        }

        @Test("a reader that begins late gets all answers, in order")
        func lateReader() async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client(receiveBuffer: 4096)
                for _ in 0..<20 {
                    try client.send(
                        String(repeating: "GET /large HTTP/1.1\r\nHost: a\r\n\r\n" + get, count: 2))
                }
                usleep(100_000)
                #expect(client.read(within: .seconds(20)) { $0.count > 16_000_000 } == .satisfied)
                let (answers, _) = try client.answers(32, within: .seconds(20))
                #expect(answers.count == 32)
                for (index, answer) in answers.enumerated() {
                    #expect(answer.body.count == (index % 2 == 0 ? 1_000_000 : 8))
                }
            }
        }

        @Test("one connection too many gets a readable 503, and its place is free again later")
        func connectionCap() async throws {
            try await ServerUnderTest.run(loops: 2, { $0.maxConnections = 5 }) { server in
                let clients = try (0..<5).map { _ in try server.client() }
                for client in clients { #expect(try client.exchange(get).status == 200) }
                let refused = try server.client()
                try refused.send(get)
                let answer = try #require(try refused.answers(1).answers.first)
                #expect(answer.status == 503)
                #expect(answer.field("connection") == "close")
                #expect(refused.isClosedByServer())
                #expect(server.server.counts.refused == 1)
                #expect(server.server.counts.open == 5)
                clients[0].close()
                #expect(await eventually(within: .seconds(5)) { server.server.counts.open == 4 })
                #expect(try server.client().exchange(get).status == 200)
                withExtendedLifetime(clients) {}
            }
        }

        @Test("T7: a rush far over the cap neither spins nor stops the service")
        func rush() async throws {
            try await ServerUnderTest.run({
                $0.maxConnections = 2
                $0.lingerTimeout = .milliseconds(100)
            }) { server in
                let kept = try (0..<2).map { _ in try server.client() }
                for client in kept { #expect(try client.exchange(get).status == 200) }
                let rushing = try (0..<200).map { _ in try server.client() }
                usleep(50_000)
                #expect(try kept[0].exchange(get).status == 200)
                for client in rushing { client.close() }
                for client in kept { client.close() }
                #expect(await eventually(within: .seconds(10)) { server.server.counts.open == 0 })
                let isServed = await eventually(within: .seconds(10)) {
                    (try? server.client().exchange(get).status) == 200
                }
                #expect(isServed)
            }
        }

        @Test("heads, targets and fields have exact bounds")
        func bounds() async throws {
            try await ServerUnderTest.run { server in
                let start = "GET /healthz HTTP/1.1\r\nHost: a\r\n"
                let room = 8192 - start.utf8.count - "X: \r\n\r\n".utf8.count
                let query = String(repeating: "x", count: 2048 - "/healthz?".utf8.count)
                let fields = (0..<63).map { "X\($0): a\r\n" }.joined()
                func long(_ count: Int) -> String {
                    "\(start)X: \(String(repeating: "x", count: count))\r\n\r\n"
                }
                let cases = [
                    (long(room), 200), (long(room + 1), 431), (long(10_000), 431),
                    ("GET /healthz?\(query) HTTP/1.1\r\nHost: a\r\n\r\n", 200),
                    ("GET /healthz?\(query)x HTTP/1.1\r\nHost: a\r\n\r\n", 414),
                    ("\(start)\(fields)\r\n", 200), ("\(start)\(fields)Y: a\r\n\r\n", 431),
                ]
                for (request, status) in cases {
                    let answer = try server.client().exchange(request)
                    #expect(answer.status == status, "\(request.prefix(60))")
                }
            }
        }

        @Test("an answer to an unread megabyte can be read")
        func lingering() async throws {
            try await ServerUnderTest.run { server in
                for _ in 0..<20 {
                    let client = try server.client()
                    try client.send("POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
                    try? client.send([UInt8](repeating: 0x61, count: 1_000_000))
                    let (answers, _) = try client.answers(1)
                    #expect(answers.first?.status == 413)
                    #expect(client.read(within: .seconds(5)) == .closed)
                }
            }
        }

        @Test(
            "C180: a thousand clients that leave in the middle of a large answer harm nobody and leave nothing open"
        )
        func leavingReaders() async throws {
            try await ServerUnderTest.run { server in
                _ = try server.client().exchange(get)
                #expect(await eventually(within: .seconds(10)) { server.server.counts.open == 0 })
                let before = ProcessMemory.descriptors(of: getpid())
                for index in 0..<1000 {
                    let client = try server.client()
                    try client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
                    _ = client.read(within: .seconds(5)) { !$0.isEmpty }
                    if index % 2 == 0 { client.reset() } else { client.close() }
                }
                #expect(await eventually(within: .seconds(10)) { server.server.counts.open == 0 })
                #expect(try server.client().exchange(get).status == 200)
                // Other suites open and close theirs meanwhile; a thousand would show.
                #expect(
                    await eventually(within: .seconds(10)) {
                        ProcessMemory.descriptors(of: getpid()) < before + 100
                    })
            }
        }

        @Test("C176: requests sent about when the idle time ends are answered whole or not at all")
        func idleRace() async throws {
            let idle = 200
            try await ServerUnderTest.run({ $0.idleTimeout = .milliseconds(idle) }) { server in
                let outcome = try await onThread { [port = server.server.boundPort] in
                    var counts = (whole: 0, none: 0, early: 0)
                    for round in 0..<10 {
                        let clients = try (0..<50).map { _ in try RawHTTPClient(port: port) }
                        // Each one's idle time begins after it has asked, however long the others take.
                        var asked: [ContinuousClock.Instant] = []
                        for client in clients {
                            asked.append(.now)
                            _ = try client.exchange(get)
                        }
                        for (index, client) in clients.enumerated() {
                            // From well before the end of the idle time to well after it, closer together in the middle.
                            let due = Duration.milliseconds(idle - 125 + 5 * index + round)
                            while ContinuousClock.now - asked[index] < due { usleep(200) }
                            let wasEarly = ContinuousClock.now - asked[index] < .milliseconds(idle / 2)
                            try? client.send(get)
                            let answers = (try? client.answers(1, within: .seconds(2)).answers) ?? []
                            if answers.map(\.text) == ["/healthz"] {
                                counts.whole += 1
                                if wasEarly { counts.early += 1 }
                            } else {
                                #expect(answers.isEmpty && client.pending.isEmpty, "a part of an answer")
                                #expect(!wasEarly, "closed before its time")
                                counts.none += 1
                            }
                        }
                    }
                    return counts
                }
                #expect(outcome.whole + outcome.none == 500)
                #expect(outcome.whole > 0 && outcome.none > 0 && outcome.early > 0, "\(outcome)")
                #expect(try server.client().exchange(get).status == 200)
            }
            // Longer than the usual minute of proxies, so that they close first.
            #expect(
                HTTPServerConfiguration(address: try SocketAddress(parsing: "127.0.0.1:0")).idleTimeout
                    > .seconds(60))
        }
    }
}
