package import Foundation

/// An `openssl s_server`, for as long as a test runs.
package struct TLSServer {
    /// The address, `https://localhost:<port>`.
    package let url: URL
    /// The certificate of the authority that vouches for it, as a file; there is none if it is self-signed.
    package let authority: String

    /// Where Debian has it; nil if it isn't installed.
    static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Makes a certificate, starts the server, gives it to `body` and kills it.
    package static func run<Value>(
        _ identity: TLSIdentity = .selfSigned, _ body: (TLSServer) async throws -> Value
    ) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try identity.make(in: folder)
        let chain =
            [.selfSigned, .withoutIntermediate].contains(identity)
            ? [] : ["-cert_chain", folder.appending(path: "chain.pem").path]
        let serve = try process(
            [
                "s_server", "-accept", "127.0.0.1:0", "-www", "-key", folder.appending(path: "key.pem").path,
                "-cert", folder.appending(path: "certificate.pem").path,
            ] + chain)
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
        return try await body(TLSServer(url: url, authority: folder.appending(path: "root.pem").path))
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

    static func process(_ arguments: [String]) throws -> Process {
        guard let openssl else { throw CocoaError(.fileNoSuchFile) }
        let process = Process()
        process.executableURL = URL(filePath: openssl)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        return process
    }
}
