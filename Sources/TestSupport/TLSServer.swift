package import Foundation

/// An `openssl s_server` with a self-signed certificate, for as long as a test runs.
package struct TLSServer {
    /// The address, `https://localhost:<port>`.
    package let url: URL

    /// Where Debian has it; nil if it isn't installed.
    static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Makes a certificate, starts the server, gives it to `body` and kills it.
    package static func run<Value>(_ body: (TLSServer) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = folder.appending(path: "key.pem").path
        let certificate = folder.appending(path: "certificate.pem").path
        let make = try process([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
            "-subj", "/CN=localhost", "-keyout", key, "-out", certificate,
        ])
        try make.run()
        make.waitUntilExit()
        guard make.terminationStatus == 0 else { throw CocoaError(.executableLoad) }

        let serve = try process([
            "s_server", "-accept", "127.0.0.1:0", "-www", "-key", key, "-cert", certificate,
        ])
        let output = Pipe()
        serve.standardOutput = output
        try serve.run()
        // SIGKILL: a child may have inherited blocked signals.
        defer {
            kill(serve.processIdentifier, SIGKILL)
            serve.waitUntilExit()
        }
        guard let url = URL(string: "https://localhost:\(try port(from: output))") else {
            throw URLError(.badURL)
        }
        return try await body(TLSServer(url: url))
    }

    /// The server says `ACCEPT 127.0.0.1:<port>` when it listens.
    private static func port(from output: Pipe) throws -> Int {
        var said = Data()
        while true {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw CocoaError(.fileReadUnknown) }
            said += piece
            let text = String(decoding: said, as: UTF8.self)
            if let line = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .first(where: { $0.hasPrefix("ACCEPT") }),
                let port = line.split(separator: ":").last.flatMap({ Int($0) })
            {
                return port
            }
        }
    }

    private static func process(_ arguments: [String]) throws -> Process {
        guard let openssl else { throw CocoaError(.fileNoSuchFile) }
        let process = Process()
        process.executableURL = URL(filePath: openssl)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        return process
    }
}
