import Foundation

/// What a TLS server shows of itself.
package enum TLSIdentity: String, Sendable, CaseIterable {
    /// Signed by nobody but itself.
    case selfSigned
    /// For `localhost`, by an authority that signs through an intermediate one, which is sent along.
    case good
    case expired
    case wrongHost
    /// Good, but the intermediate certificate isn't sent.
    case withoutIntermediate

    /// Makes key and certificates in `folder`: `key.pem`, `certificate.pem`, `chain.pem` and the authority's `root.pem`.
    func make(in folder: URL) throws {
        guard self != .selfSigned else {
            return try Self.openssl(
                Self.newKey("req -x509 -days 2 -subj /CN=localhost", "key.pem", "certificate.pem"), in: folder
            )
        }
        let name = self == .wrongHost ? "elsewhere.test" : "localhost"
        let days = self == .expired ? "-1" : "2"
        try Self.openssl(
            Self.newKey("req -x509 -days 2 -subj /CN=root", "root-key.pem", "root.pem"), in: folder)
        for (subject, key, request, issuer, certificate, days, extensions) in [
            ("middle", "middle-key.pem", "middle.csr", "root", "chain.pem", "2", "basicConstraints=CA:TRUE"),
            (name, "key.pem", "leaf.csr", "middle", "certificate.pem", days, "subjectAltName=DNS:\(name)"),
        ] {
            try Self.openssl(
                Self.newKey("req -subj /CN=\(subject) -addext \(extensions)", key, request), in: folder)
            let authority = issuer == "root" ? "root.pem" : "chain.pem"
            try Self.openssl(
                "x509 -req -copy_extensions copy -days \(days) -in \(request) -out \(certificate) "
                    + "-CA \(authority) -CAkey \(issuer)-key.pem -CAcreateserial", in: folder)
        }
    }

    private static func newKey(_ words: String, _ key: String, _ out: String) -> String {
        "\(words) -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout \(key) -out \(out)"
    }

    private static func openssl(_ words: String, in folder: URL) throws {
        let process = try TLSServer.process(words.split(separator: " ").map(String.init))
        process.currentDirectoryURL = folder
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }
}
