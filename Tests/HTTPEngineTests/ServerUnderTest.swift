import EventLoop
import HTTPEngine
import TestSupport

/// A server on loopback with its loops; `stop` must be awaited at the end.
struct ServerUnderTest {
    let server: HTTPServer
    let loops: [EventLoop]
    let log = RouteApplication.Log()

    init(loops count: Int = 1, _ adjust: (inout HTTPServerConfiguration) -> Void = { _ in }) throws {
        var configuration = HTTPServerConfiguration(address: try SocketAddress(parsing: "127.0.0.1:0"))
        adjust(&configuration)
        loops = try (0..<count).map { try EventLoop(name: "http-\($0)") }
        let log = log
        server = HTTPServer(configuration: configuration, loops: loops) { _ in RouteApplication(log: log) }
        try server.start()
        for loop in loops { try loop.start() }
    }

    func client(receiveBuffer: Int32? = nil) throws -> RawHTTPClient {
        try RawHTTPClient(port: server.boundPort, receiveBuffer: receiveBuffer)
    }

    /// Runs `body` with a server and ends it, whatever happens.
    static func run(
        loops: Int = 1, _ adjust: (inout HTTPServerConfiguration) -> Void = { _ in },
        _ body: (ServerUnderTest) async throws -> Void
    ) async throws {
        let server = try ServerUnderTest(loops: loops, adjust)
        do {
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    func stop() async {
        _ = await server.drain(limit: .milliseconds(10))
        for loop in loops {
            loop.stop()
            loop.join()
        }
    }
}
