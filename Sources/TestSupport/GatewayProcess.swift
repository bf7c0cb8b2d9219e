import Foundation

/// A real gateway process with its log in a file.
///
/// Safe from any thread. It lives until `stop`, or until it is released.
package final class GatewayProcess: Sendable {
    package let name: String
    package let process: ChildProcess
    /// Where it listens on loopback, with the port that the system chose.
    package let port: UInt16

    /// What went wrong with the process itself.
    package enum Problem: Error, CustomStringConvertible {
        case noExecutable(String)
        case notServing(log: String)

        package var description: String {
            switch self {
            case .noExecutable(let path): "there is no \(path): build the product fxgateway first"
            case .notServing(let log): "the gateway doesn't serve:\n\(log)"
            }
        }
    }

    private init(name: String, process: ChildProcess, port: UInt16) {
        self.name = name
        self.process = process
        self.port = port
    }

    /// The program that was built together with the running tests.
    package static func executable() throws(Problem) -> String {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let path = URL(fileURLWithPath: bundle).deletingLastPathComponent().path + "/fxgateway"
        guard FileManager.default.isExecutableFile(atPath: path) else { throw .noExecutable(path) }
        return path
    }

    /// Starts `fxgateway serve` with exactly this environment and waits until it listens.
    ///
    /// `program` is the words that run it, where it isn't the one built here: a tool, its options and a copy. With
    /// `descriptors` it may open no more than that, and can't raise it.
    package static func start(
        name: String, program: [String] = [], environment: [String: String], directory: String,
        descriptors: Int? = nil, within limit: Duration = .seconds(20)
    ) async throws -> GatewayProcess {
        let log = URL(fileURLWithPath: "\(directory)/\(name).log")
        let limited = descriptors.map { ["/bin/sh", "-c", "ulimit -n \($0); exec \"$0\" \"$@\""] } ?? []
        let words = limited + (program.isEmpty ? [try executable()] : program)
        let process = try ChildProcess(
            words[0], words.dropFirst() + ["serve"], environment: environment, output: log)
        var port: UInt16?
        _ = await eventually(within: limit) {
            port = Self.port(in: process.text)
            return port != nil || process.status != nil
        }
        guard let port, process.status == nil else {
            process.stop()
            throw Problem.notServing(log: process.text)
        }
        return GatewayProcess(name: name, process: process, port: port)
    }

    /// Runs a command of the program to its end.
    ///
    /// - Returns: how it ended, nil if it did not in time, and what it wrote.
    package static func run(
        _ arguments: [String], environment: [String: String] = [:], directory: String,
        within limit: Duration = .seconds(20)
    ) async throws -> (status: Int32?, text: String) {
        let output = URL(fileURLWithPath: "\(directory)/command-\(UInt64.random(in: 0...UInt64.max)).log")
        let process = try ChildProcess(
            try executable(), arguments, environment: environment, output: output)
        _ = await eventually(within: limit) { process.status != nil }
        let status = process.status
        process.stop()
        return (status, process.text)
    }

    /// All it has logged so far.
    package var log: String { process.text }

    /// Whether it logs a text within a bound: what a thing does may be seen before the line that tells of it.
    package func hasLogged(_ text: String, within limit: Duration = .seconds(5)) async -> Bool {
        await eventually(within: limit) { log.contains(text) }
    }

    package func signal(_ number: Int32) { process.signal(number) }

    /// Kills and reaps it.
    package func stop() { process.stop() }

    /// Waits for its end.
    ///
    /// - Returns: the exit status, 128 + the signal's number, or nil if it still runs.
    package func ended(within limit: Duration) async -> Int32? {
        _ = await eventually(within: limit) { process.status != nil }
        return process.status
    }

    /// Sends a signal and waits for the end on a thread of its own, so that the time is true under load.
    ///
    /// - Returns: how it ended, nil if it still runs, and how long that took.
    package func end(
        by number: Int32, within limit: Duration
    ) async throws -> (status: Int32?, after: Duration) {
        try await onThread { [process] in
            let start = ContinuousClock.now
            process.signal(number)
            while process.status == nil, ContinuousClock.now - start < limit { usleep(5_000) }
            return (process.status, ContinuousClock.now - start)
        }
    }

    /// One request on a connection of its own.
    package func ask(
        _ method: String = "GET", _ target: String, fields: [String] = [], body: String = "",
        within limit: Duration = .seconds(10)
    ) async throws -> RawHTTPClient.Answer {
        let request = Self.request(method, target, fields: fields + ["Connection: close"], body: body)
        return try await onThread { [port] in
            try RawHTTPClient(port: port).exchange(request, within: limit)
        }
    }

    /// A request as bytes; a body gets its length.
    package static func request(
        _ method: String = "GET", _ target: String, fields: [String] = [], body: String = ""
    ) -> String {
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        let lines = ["\(method) \(target) HTTP/1.1", "Host: gateway"] + length + fields
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    /// A sample of its metrics by the sample's whole name, labels included; nil if there is none.
    package func metric(_ name: String) async throws -> Double? {
        try await ask("GET", "/metrics").text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
            .flatMap { Double($0.dropFirst(name.utf8.count + 1)) }
    }

    private static func port(in log: String) -> UInt16? {
        for line in log.split(separator: "\n") where line.contains("\"message\":\"serving\"") {
            guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                let listen = object["listen"] as? String, let colon = listen.lastIndex(of: ":")
            else { continue }
            return UInt16(listen[listen.index(after: colon)...])
        }
        return nil
    }
}
