/// The name of a snapshot: ten digits of time and eight of content, for example `01J0F3ZK7Q-7f3a9c2e`.
///
/// The time part is fetched-at in milliseconds, Crockford's base 32 (as in a ULID), so ids sort by time; the content part
/// is the beginning of the SHA-256 of the accepted body. Safe from any thread.
package struct SnapshotID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String

    private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// The id of what was fetched at `fetchedAt` and has a digest that begins with `digest` (at least
    /// four bytes).
    package init(fetchedAt: UnixMilliseconds, digest: [UInt8]) {
        precondition(digest.count >= 4, "an id needs four bytes of a digest")
        var time = UInt64(clamping: fetchedAt.value)
        var bytes = [UInt8](repeating: Self.digits[0], count: 10)
        for place in bytes.indices.reversed() {
            bytes[place] = Self.digits[Int(time & 31)]
            time >>= 5
        }
        let hexadecimal = Array("0123456789abcdef".utf8)
        bytes.append(UInt8(ascii: "-"))
        for byte in digest.prefix(4) {
            bytes.append(hexadecimal[Int(byte >> 4)])
            bytes.append(hexadecimal[Int(byte & 15)])
        }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// Reads an id; nil unless it has the exact form, so that no other text ever reaches a Redis key.
    package init?(parsing text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 19, bytes[10] == UInt8(ascii: "-") else { return nil }
        guard bytes[..<10].allSatisfy(Self.digits.contains) else { return nil }
        let isHexadecimal = bytes[11...].allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        guard isHexadecimal else { return nil }
        self.text = String(text)
    }

    /// The digits of its time: those of a later one are greater.
    package var time: Substring { text.prefix(10) }

    /// The instant that its time names, in milliseconds.
    var fetchedAt: UnixMilliseconds {
        let value = time.utf8.reduce(Int64(0)) { sum, digit in
            sum << 5 | Int64(Self.digits.firstIndex(of: digit) ?? 0)
        }
        return UnixMilliseconds(value)
    }

    package var description: String { text }

    package static func < (left: SnapshotID, right: SnapshotID) -> Bool { left.text < right.text }
}
