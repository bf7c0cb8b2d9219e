import EventLoop
import HTTPEngine
import TestSupport
import Testing

extension OnSockets {
    @Suite("Streamed answers")
    struct StreamTests {
        /// Writes on the loop's thread; false if the stream is gone.
        private func write(_ server: ServerUnderTest, _ id: ConnectionID, _ bytes: [UInt8]) async -> Bool {
            let http = server.server
            return await server.loops[0].perform { http.write(id, bytes) } ?? false
        }

        private func finish(_ server: ServerUnderTest, _ id: ConnectionID) async {
            let http = server.server
            _ = await server.loops[0].perform { http.finish(id) }
        }

        private func abort(_ server: ServerUnderTest, _ id: ConnectionID) async {
            let http = server.server
            _ = await server.loops[0].perform { http.abort(id) }
        }

        private func begin(_ server: ServerUnderTest, _ client: RawHTTPClient, _ request: String) async throws
            -> ConnectionID
        {
            let before = server.log.now.streams.count
            try client.send(request)
            #expect(await eventually(within: .seconds(5)) { server.log.now.streams.count > before })
            return try #require(server.log.now.streams.last)
        }

        @Test("go out chunk by chunk, and the connection serves on")
        func chunks() async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                let id = try await begin(
                    server, client,
                    "GET /stream HTTP/1.1\r\nHost: a\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(server.server.counts.streaming == 1)
                for text in ["one", "two two", ""] {
                    #expect(await write(server, id, Array(text.utf8)))
                }
                #expect(
                    client.read { String(decoding: $0, as: UTF8.self).hasSuffix("7\r\ntwo two\r\n") }
                        == .satisfied)
                await finish(server, id)
                #expect(await !write(server, id, [1]))
                let (answers, _) = try client.answers(2)
                #expect(answers.first?.text == "onetwo two")
                #expect(answers.last?.text == "/healthz")
                #expect(server.server.counts.streaming == 0)
            }
        }

        @Test("end with the connection in HTTP/1.0")
        func http10() async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                let id = try await begin(
                    server, client, "GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                #expect(await write(server, id, Array("text".utf8)))
                await finish(server, id)
                let answer = try #require(try client.answers(1).answers.first)
                #expect(answer.text == "text")
                #expect(answer.field("connection") == "close")
                #expect(answer.field("transfer-encoding") == nil)
            }
        }

        @Test("to HEAD are whole with their head")
        func head() async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                #expect(try client.exchange("HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
                #expect(try client.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
            }
        }

        @Test("T6: a reader that falls too far behind is dropped")
        func slowReader() async throws {
            try await ServerUnderTest.run({ $0.maxOutput = 64 * 1024 }) { server in
                let client = try server.client(receiveBuffer: 4096)
                let id = try await begin(server, client, "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
                var isOpen = true
                var written = 0
                while isOpen, written < 20_000_000 {
                    isOpen = await write(server, id, [UInt8](repeating: 0x61, count: 16_000))
                    written += 16_000
                }
                #expect(!isOpen)
                #expect(server.server.counts.open == 0)
                // The writer was told by the result already.
                #expect(server.log.now.abandoned.isEmpty)
            }
        }

        @Test("a reader that leaves is told to the application")
        func leaves() async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                let id = try await begin(server, client, "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
                client.close()
                #expect(await eventually(within: .seconds(5)) { server.log.now.abandoned == [id] })
                #expect(server.log.now.reasons == [.left])
                #expect(await !write(server, id, [1]))
            }
        }

        @Test("may be broken off with a reset, as may any answer")
        func abort() async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                let id = try await begin(server, client, "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
                await abort(server, id)
                #expect(client.read(within: .seconds(5)) == .reset)
                let other = try server.client()
                try other.send("GET /abort HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(other.read(within: .seconds(5)) == .reset)
                #expect(await eventually(within: .seconds(5)) { server.server.counts.open == 0 })
            }
        }

        @Test("get one piece alike, each in its own framing")
        func pieces() async throws {
            try await ServerUnderTest.run { server in
                let (newer, older) = (try server.client(), try server.client())
                let first = try await begin(server, newer, "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
                let second = try await begin(server, older, "GET /stream HTTP/1.0\r\n\r\n")
                let http = server.server
                let piece = StreamPiece(Array("sixteen letters!".utf8))
                #expect(piece.count == 16)
                for id in [first, second] {
                    #expect(await server.loops[0].perform { http.write(id, piece) } == true)
                    await finish(server, id)
                    #expect(await server.loops[0].perform { http.write(id, piece) } == false)
                }
                #expect(try newer.answers(1).answers.first?.text == "sixteen letters!")
                #expect(try older.answers(1).answers.first?.text == "sixteen letters!")
            }
        }

        @Test("a reader that takes nothing for the write timeout is dropped, and told of as too slow")
        func slowlyDropped() async throws {
            try await ServerUnderTest.run({
                $0.writeTimeout = .milliseconds(400)
                $0.streamSendBuffer = 8_192
                $0.maxOutput = 10_000_000
            }) { server in
                let client = try server.client(receiveBuffer: 4096)
                let id = try await begin(server, client, "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(await write(server, id, [UInt8](repeating: 0x61, count: 200_000)))
                let began = ContinuousClock.now
                #expect(await eventually(within: .seconds(5)) { server.log.now.abandoned == [id] })
                #expect(server.log.now.reasons == [.tooSlow])
                #expect(ContinuousClock.now - began > .milliseconds(300))
                client.close()
            }
        }

        @Test("keep no more in the kernel than is configured for a reader that doesn't read")
        func sendBuffer() async throws {
            try await ServerUnderTest.run({
                $0.streamSendBuffer = 16 * 1024
                $0.maxOutput = 32 * 1024
            }) { server in
                let client = try server.client(receiveBuffer: 4096)
                let id = try await begin(server, client, "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
                var written = 0
                while await write(server, id, [UInt8](repeating: 0x61, count: 1_000)) { written += 1_000 }
                // Left to itself the kernel takes megabytes.
                #expect((32_000...160_000).contains(written), "\(written)")
                client.close()
            }
        }

        @Test(
            "a client that confirms nothing of what the kernel has for it is dropped, and told of as too slow"
        )
        func unconfirmed() async throws {
            try await ServerUnderTest.run({
                $0.streamTimeout = .milliseconds(600)
                $0.streamSendBuffer = 256 * 1024
            }) { server in
                let client = try server.client(receiveBuffer: 4096)
                let id = try await begin(server, client, "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
                // All of it is the kernel's at once: the engine itself has nothing that waits.
                #expect(await write(server, id, [UInt8](repeating: 0x61, count: 60_000)))
                #expect(await eventually(within: .seconds(8)) { server.log.now.abandoned == [id] })
                #expect(server.log.now.reasons == [.tooSlow])
                client.close()
            }
        }

        @Test("that have ended don't hold up a drain, even if their reader doesn't read")
        func drain() async throws {
            try await ServerUnderTest.run({
                $0.streamSendBuffer = 8_192
                $0.lingerTimeout = .milliseconds(300)
            }) { server in
                let client = try server.client(receiveBuffer: 4096)
                let id = try await begin(server, client, "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(await write(server, id, [UInt8](repeating: 0x61, count: 100_000)))
                let began = ContinuousClock.now
                let http = server.server
                let draining = Task { await http.drain(limit: .seconds(30)) }
                #expect(await eventually(within: .seconds(5)) { server.log.now.drainings == 1 })
                await finish(server, id)
                _ = await draining.value
                #expect(ContinuousClock.now - began < .seconds(4))
                client.close()
            }
        }
    }
}
