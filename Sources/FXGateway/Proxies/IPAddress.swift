import Glibc

/// An IPv4 or IPv6 address by its value: however it was written, equal addresses are equal.
///
/// An IPv4 address that came as an IPv6 one (`::ffff:192.0.2.1`, RFC 4291 section 2.5.5.2) is the IPv4 address: that is
/// what a listener for both families sees.
struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// Four or sixteen bytes, the first one first.
    let bytes: [UInt8]

    /// Longer texts are no address (RFC 4291 section 2.2).
    private static let mostBytes = 45
    private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

    /// Reads an address in text; nil for anything else: names, brackets, ports, zones, zeros in front.
    init?(parsing text: some Collection<UInt8>) {
        guard (2...Self.mostBytes).contains(text.count), !text.contains(0) else { return nil }
        let text = String(decoding: text, as: UTF8.self)
        var (v4, v6) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &v4) == 1 {
            bytes = withUnsafeBytes(of: v4) { Array($0) }
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            let all = withUnsafeBytes(of: v6) { Array($0) }
            bytes = all.starts(with: Self.mappedPrefix) ? Array(all[12...]) : all
        } else {
            return nil
        }
    }

    /// How many bits it has: 32 or 128.
    var width: Int { bytes.count * 8 }

    /// In the usual form (RFC 5952): letters, digits, points and colons alone.
    var description: String {
        bytes.withUnsafeBytes { source in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
                let family = bytes.count == 4 ? AF_INET : AF_INET6
                guard let start = text.baseAddress,
                    inet_ntop(family, source.baseAddress, start, socklen_t(INET6_ADDRSTRLEN)) != nil
                else { return "" }
                return String(cString: start)
            }
        }
    }
}
