import EventLoop
import Glibc
import TestSupport
import Testing

@testable import HTTPEngine

extension OnSockets {
    @Suite("HTTP server")
    struct ServerTests {
        @Test("HEAD gets the fields of GET and no body")
        func head() async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                let get = try client.exchange(
                    "GET /v1/latest/USD HTTP/1.1\r\nHost: a\r\nX-Request-Id: i\r\n\r\n")
                let head = try client.exchange(
                    "HEAD /v1/latest/USD HTTP/1.1\r\nHost: a\r\nX-Request-Id: i\r\n\r\n")
                #expect(head.body.isEmpty)
                #expect(head.fields.map(\.name) == get.fields.map(\.name))
                #expect(head.field("content-length") == "14")
                #expect(try client.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
            }
        }

        @Test("HTTP/1.0 stays open only if asked, and close wins")
        func http10() async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                for _ in 0..<3 {
                    let answer = try client.exchange(
                        "GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                    #expect(answer.field("connection") == "keep-alive")
                }
                let answer = try client.exchange(
                    "GET /healthz HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n")
                #expect(answer.field("connection") == "close")
                #expect(client.isClosedByServer())
            }
        }

        @Test("the application sees the target, the fields and the id as they came")
        func request() async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                let text = try client.exchange(
                    "GET /dump?a=%20&b? HTTP/1.1\r\nhOST: a:80\r\nX-Test:\t one \t\r\nx-TEST:\r\nX-Request-Id: a.B_c-1\r\n\r\n"
                ).text
                #expect(
                    text
                        == "target=/dump?a=%20&b? query=a=%20&b? id=a.B_c-1 peer=127.0.0.1 [hOST=a:80] [X-Test=one]"
                        + " [x-TEST=] [X-Request-Id=a.B_c-1] x=one n=2")
                let absolute = try client.exchange("GET HTTP://b:8080/dump HTTP/1.1\r\nHost: a\r\n\r\n").text
                #expect(absolute.hasPrefix("target=HTTP://b:8080/dump query=nil id="))
                let root = try client.exchange("GET http://b?x HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(root.status == 404)
            }
        }

        @Test(
            "a request id that isn't a good one is replaced by one of its own",
            arguments: ["", "a b", "é", "x;y"])
        func requestID(_ id: String) async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                let request = "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Request-Id: \(id)\r\n\r\n"
                let first = try client.exchange(request).field("x-request-id")
                let second = try client.exchange(request).field("x-request-id")
                #expect(first?.utf8.count == 16 && second?.utf8.count == 16)
                #expect(first != second)
                let long = String(repeating: "a", count: 64)
                let kept = try client.exchange(
                    "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Request-Id: \(long)\r\n\r\n")
                #expect(kept.field("x-request-id") == long)
                let tooLong = try client.exchange(
                    "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Request-Id: \(long)a\r\n\r\n")
                #expect(tooLong.field("x-request-id")?.utf8.count == 16)
            }
        }

        @Test(
            "hosts are checked",
            arguments: [
                ("a", 200), ("a.b-c:8080", 200), ("[::1]:80", 200), ("127.0.0.1", 200), ("", 400),
                (":80", 400),
                ("a:", 200), ("a:x", 400), ("a:123456", 400), ("[::1", 400), ("a b", 400), ("a/", 400),
                ("user@a", 400),
            ])
        func host(_ host: String, status: Int) async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                #expect(
                    try client.exchange("GET /healthz HTTP/1.1\r\nHost: \(host)\r\n\r\n").status == status)
            }
        }

        @Test("draining answers what waits with Connection: close and closes what is idle")
        func drain() async throws {
            let under = try ServerUnderTest(loops: 2)
            let idle = try (0..<200).map { _ in try under.client() }
            for client in idle { _ = try client.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n") }
            let parked = try (0..<100).map { _ in try under.client() }
            for client in parked { try client.send("GET /park HTTP/1.1\r\nHost: a\r\n\r\n") }
            #expect(await eventually(within: .seconds(5)) { under.log.now.parked.count == 100 })
            let begun = try under.client()
            try begun.send("GET /healthz HTTP/1.1\r\nHo")
            usleep(20_000)

            async let result = under.server.drain(limit: .seconds(60))
            // Waits without holding a thread that the drain may need.
            #expect(await eventually(within: .seconds(30)) { under.log.now.drainings == 2 })
            #expect(under.server.isDraining)
            for client in idle { #expect(client.isClosedByServer()) }
            #expect(throws: RawHTTPClient.Failure.self) { try under.client() }
            for id in under.log.now.parked { under.server.resume(id, Answers.found) }
            for client in parked {
                let answer = try #require(try client.answers(1).answers.first)
                #expect(answer.text == "found")
                #expect(answer.field("connection") == "close")
                #expect(client.isClosedByServer())
                client.close()
            }
            try begun.send("st: a\r\n\r\n")
            #expect(try begun.answers(1).answers.first?.field("connection") == "close")
            begun.close()
            #expect(await result == DrainResult(drained: 301, cut: 0))
            withExtendedLifetime(idle) {}
            #expect(under.log.now.drainings == 2)
            #expect(under.server.counts.open == 0)
            for loop in under.loops {
                loop.stop()
                loop.join()
            }
        }

        @Test("clients that never stop asking get Connection: close with their next answer when it drains")
        func drainBusy() async throws {
            let under = try ServerUnderTest(loops: 2) { $0.drainGrace = .seconds(30) }
            let clients = try (0..<20).map { _ in try under.client() }
            let request = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
            for client in clients { _ = try client.exchange(request) }
            async let result = under.server.drain(limit: .seconds(60))
            #expect(await eventually(within: .seconds(30)) { under.log.now.drainings == 2 })
            for client in clients {
                let answer = try client.exchange(request)
                #expect(answer.status == 200)
                #expect(answer.field("connection") == "close")
                client.close()
            }
            #expect(await result == DrainResult(drained: 20, cut: 0))
            for loop in under.loops {
                loop.stop()
                loop.join()
            }
        }

        @Test("what isn't done at the limit of a drain is cut and told")
        func drainLimit() async throws {
            let under = try ServerUnderTest()
            let parked = try (0..<3).map { _ in try under.client() }
            for client in parked { try client.send("GET /park HTTP/1.1\r\nHost: a\r\n\r\n") }
            #expect(await eventually(within: .seconds(5)) { under.log.now.parked.count == 3 })
            #expect(await under.server.drain(limit: .milliseconds(100)) == DrainResult(drained: 0, cut: 3))
            #expect(under.log.now.abandoned.count == 3)
            for client in parked { #expect(client.isClosedByServer()) }
            #expect(await under.server.drain(limit: .seconds(1)) == DrainResult())
            for loop in under.loops {
                loop.stop()
                loop.join()
            }
        }

        @Test("an address that is taken is named")
        func addressTaken() async throws {
            try await ServerUnderTest.run { server in
                let address = "127.0.0.1:\(server.server.boundPort)"
                let other = HTTPServer(
                    configuration: HTTPServerConfiguration(address: try SocketAddress(parsing: address)),
                    loops: [try EventLoop(name: "other")]
                ) { _ in RouteApplication(log: RouteApplication.Log()) }
                #expect(throws: HTTPServerError.cannotListen(address: address, errno: EADDRINUSE)) {
                    try other.start()
                }
                #expect(throws: HTTPServerError.alreadyStarted) { try server.server.start() }
            }
        }

        @Test("a path is served on all loops, and gone afterwards")
        func unixSocket() async throws {
            let path = "/tmp/fxgw-http-test-\(getpid()).sock"
            var configuration = HTTPServerConfiguration(address: try SocketAddress(path: path))
            configuration.maxConnections = 100
            let loops = try (0..<2).map { try EventLoop(name: "unix-\($0)") }
            let server = HTTPServer(configuration: configuration, loops: loops) { _ in
                RouteApplication(log: RouteApplication.Log())
            }
            try server.start()
            for loop in loops { try loop.start() }
            let clients = try (0..<6).map { _ in try RawHTTPClient(path: path) }
            for client in clients {
                let text = try client.exchange("GET /dump HTTP/1.1\r\nHost: a\r\n\r\n").text
                #expect(text.contains("peer=unix"))
            }
            let result = await server.drain(limit: .seconds(2))
            #expect(result == DrainResult(drained: 6, cut: 0))
            withExtendedLifetime(clients) {}
            #expect(access(path, F_OK) != 0)
            for loop in loops {
                loop.stop()
                loop.join()
            }
        }

        @Test(
            "addresses are parsed strictly",
            arguments: [
                ("127.0.0.1:80", true), ("[::1]:80", true), ("unix:/tmp/a", true), ("localhost:80", false),
                ("127.0.0.1", false), ("::1:80", false), ("127.0.0.1:65536", false), ("127.0.0.1:+1", false),
                ("unix:", false), ("1.2.3:80", false),
            ])
        func addresses(_ text: String, isGood: Bool) {
            #expect(((try? SocketAddress(parsing: text))?.description == text) == isGood)
        }

        @Test("accepted connections don't delay small packets and notice dead peers")
        func socketOptions() async throws {
            let listener = try Listening.open()
            defer { close(listener) }
            let client = try RawHTTPClient(port: Listening.port(of: listener))
            let accepted = EventLoop.acceptConnection(on: listener)
            #expect(accepted >= 0)
            defer { close(accepted) }
            #expect(Listening.option(accepted, Int32(IPPROTO_TCP), TCP_NODELAY) != 0)
            #expect(Listening.option(accepted, SOL_SOCKET, SO_KEEPALIVE) != 0)
            #expect(fcntl(accepted, F_GETFL) & O_NONBLOCK != 0)
            #expect(fcntl(accepted, F_GETFD) & FD_CLOEXEC != 0)
            client.close()
        }

        @Test("an idle connection holds no buffer, whatever it has done before")
        func idleMemory() async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client(receiveBuffer: 4096)
                try client.send("GET /v1/latest/USD HTTP/1.1\r\nHo")
                usleep(10_000)
                try client.send(
                    "st: a\r\n\r\n" + String(repeating: "GET /large HTTP/1.1\r\nHost: a\r\n\r\n", count: 20))
                #expect(try client.answers(21, within: .seconds(10)).answers.count == 21)
                try client.send(OnSockets.BodyTests.chunked)
                #expect(try client.answers(1).answers.count == 1)
                let http = server.server
                let isLight = await server.loops[0].perform {
                    http.loops[0].table.all.allSatisfy {
                        $0.input.heldBytes == 0 && $0.unsent.heldBytes == 0 && $0.body == nil
                            && $0.request == nil
                            && $0.sideWatch == nil
                    }
                }
                #expect(isLight == true)
            }
        }
    }
}
