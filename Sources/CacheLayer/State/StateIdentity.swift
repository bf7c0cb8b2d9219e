/// Whose state a file holds: a fleet and its upstream.
package struct StateIdentity: Hashable, Sendable {
    package let fleet: String
    /// Host and port.
    package let upstream: String

    package init(fleet: String, upstream: String) {
        self.fleet = fleet
        self.upstream = upstream
    }

    /// The file's name in its directory: the fleet in the open, and twelve digits of a digest of both.
    ///
    /// Nothing of the configuration can lead out of the directory, hide the file or make two identities share one: what
    /// isn't a letter, a digit, `_` or `-` becomes `_`.
    package var fileName: String {
        let shown = fleet.utf8.prefix(64).map { byte in
            Self.isPlain(byte) ? byte : UInt8(ascii: "_")
        }
        let digest = ContentDigest(of: Array("\(fleet)\n\(upstream)".utf8)).hexadecimal.prefix(12)
        return "fxgateway-\(String(decoding: shown, as: UTF8.self))-\(digest).json"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension ContentDigest {
    /// 64 lower-case digits.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
