/// Percent-decoding (RFC 3986 section 2.1), strict: a bad escape, a NUL or what isn't UTF-8 is refused, never repaired.
///
/// `+` is a plus sign: nothing in the API's grammar has blanks, so there is nothing to gain from the forms' rule.
enum PercentDecoding {
    /// The decoded bytes, valid UTF-8 without NUL.
    ///
    /// - Throws: a 400 that names `place` and shows the bytes as they came.
    static func decode(_ bytes: UnsafeRawBufferPointer, in place: StaticString) throws(Problem) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                index += 1
                continue
            }
            guard index + 2 < bytes.count, let high = value(bytes[index + 1]),
                let low = value(bytes[index + 2])
            else { throw .malformed(place, bytes, "well percent-encoded") }
            decoded.append(high << 4 | low)
            index += 3
        }
        guard !decoded.contains(0), String(validating: decoded, as: UTF8.self) != nil else {
            throw .malformed(place, bytes, "UTF-8 text")
        }
        return decoded
    }

    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 48
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - 87
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - 55
        default: nil
        }
    }
}
