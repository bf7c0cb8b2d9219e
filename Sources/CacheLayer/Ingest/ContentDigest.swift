import CSodium

/// The SHA-256 of an accepted body: what names its snapshot.
package struct ContentDigest: Hashable, Sendable {
    /// 32 bytes.
    package let bytes: [UInt8]

    /// The digest of any bytes (FIPS 180-4).
    package init(of body: [UInt8]) {
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256(&digest, body, UInt64(body.count))
        bytes = digest
    }
}
