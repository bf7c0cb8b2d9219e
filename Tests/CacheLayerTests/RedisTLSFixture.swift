import Foundation
import TestSupport

/// An authority of its own, with what it has signed, in a directory of its own.
///
/// Made by the openssl program. For one task at a time.
final class RedisTLSFixture {
    struct Failed: Error { let text: String }

    let directory: String

    var authority: String { directory + "/ca.crt" }
    /// Of another authority, which has signed nothing here.
    var stranger: String { directory + "/other.crt" }
    var clientCertificate: String { directory + "/client.crt" }
    var clientKey: String { directory + "/client.key" }

    init() async throws {
        directory = FileManager.default.temporaryDirectory.path + "/fxgw-tls-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for name in ["ca", "other"] {
            try await openssl(
                "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=\(name)",
                files: ["-keyout": "\(name).key", "-out": "\(name).crt"])
        }
        try await sign("server", names: "DNS:localhost,IP:127.0.0.1")
        try await sign("client", names: "DNS:client")
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// The settings of a server that speaks TLS on this port, and asks for a certificate if it has to.
    func settings(port: Int, asksClient: Bool) -> [String] {
        [
            "--tls-port", "\(port)", "--tls-cert-file", directory + "/server.crt", "--tls-key-file",
            directory + "/server.key", "--tls-ca-cert-file", authority, "--tls-auth-clients",
            asksClient ? "yes" : "no",
        ]
    }

    private func sign(_ name: String, names: String) async throws {
        try await openssl(
            "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=\(name)",
            files: ["-keyout": "\(name).key", "-out": "\(name).csr"])
        try "subjectAltName=\(names)\n".write(
            toFile: directory + "/\(name).ext", atomically: true, encoding: .utf8)
        try await openssl(
            "x509 -req -days 2 -CAcreateserial",
            files: [
                "-CA": "ca.crt", "-CAkey": "ca.key", "-in": "\(name).csr", "-out": "\(name).crt",
                "-extfile": "\(name).ext",
            ])
    }

    /// Runs openssl with these words, and these files of the directory.
    private func openssl(_ words: String, files: [String: String]) async throws {
        let arguments = files.flatMap { [$0.key, directory + "/" + $0.value] }
        let process = try ChildProcess(
            "/usr/bin/env", ["openssl"] + words.split(separator: " ").map(String.init) + arguments,
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"],
            output: URL(fileURLWithPath: directory + "/openssl.log"))
        _ = await eventually(within: .seconds(20)) { process.status != nil }
        guard process.status == 0 else { throw Failed(text: process.text) }
    }
}
