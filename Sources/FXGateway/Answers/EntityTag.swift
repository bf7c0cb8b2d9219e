import CacheLayer

/// Strong entity tags, and what If-None-Match says of them (RFC 9110 sections 8.8.3 and 13.1.2).
enum EntityTag {
    private static let digits = Array("0123456789abcdef".utf8)

    /// The tag of a body: 32 hexadecimal digits of its SHA-256, in quotes.
    ///
    /// The body is a pure function of snapshot, selection, options, state and reason, so this is a hash of those inputs; and
    /// where two versions of the gateway render them differently, the tags differ too, as a strong validator's must.
    static func strong(of body: [UInt8]) -> [UInt8] {
        var tag: [UInt8] = [UInt8(ascii: "\"")]
        for byte in ContentDigest(of: body).bytes.prefix(16) {
            tag.append(digits[Int(byte >> 4)])
            tag.append(digits[Int(byte & 15)])
        }
        tag.append(UInt8(ascii: "\""))
        return tag
    }

    /// Whether a field's value names the tag, by the weak comparison; `*` names every one.
    ///
    /// What isn't a list of tags names nothing. No allocation.
    static func matches(_ value: UnsafeRawBufferPointer, _ tag: [UInt8]) -> Bool {
        var index = 0
        while index < value.count {
            let byte = value[index]
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ","):
                index += 1
                continue
            case UInt8(ascii: "*"): return value.count == 1
            case UInt8(ascii: "W"):
                guard index + 1 < value.count, value[index + 1] == UInt8(ascii: "/") else { return false }
                index += 2
            default: break
            }
            guard index < value.count, value[index] == UInt8(ascii: "\"") else { return false }
            var end = index + 1
            while end < value.count, value[end] != UInt8(ascii: "\"") { end += 1 }
            guard end < value.count else { return false }
            if ByteHash.equal(tag, UnsafeRawBufferPointer(rebasing: value[index...end])) { return true }
            index = end + 1
        }
        return false
    }
}
