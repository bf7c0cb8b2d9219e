/// Classes of bytes and comparisons that never look at more than ASCII.
enum ASCII {
    static let tab: UInt8 = 9
    static let lineFeed: UInt8 = 10
    static let carriageReturn: UInt8 = 13
    static let space: UInt8 = 32

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 32) &- 97 < 26 }

    /// The value of a hexadecimal digit; nil for any other byte.
    @inline(__always)
    static func hexadecimal(_ byte: UInt8) -> UInt64? {
        if isDigit(byte) { return UInt64(byte &- 48) }
        let letter = (byte | 32) &- 97
        return letter < 6 ? UInt64(letter &+ 10) : nil
    }

    /// RFC 9110 section 5.6.2: what methods and field names are made of.
    static func isToken(_ byte: UInt8) -> Bool {
        if isLetter(byte) || isDigit(byte) { return true }
        return switch byte {
        case 0x21, 0x23, 0x24, 0x25, 0x26, 0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    /// What a request id may be made of: letters, digits, `.`, `_`, `-`.
    static func isRequestID(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F
    }

    /// A registered name or an IPv4 address (RFC 3986 section 3.2.2).
    static func isHostName(_ byte: UInt8) -> Bool {
        if isLetter(byte) || isDigit(byte) { return true }
        return switch byte {
        case 0x21, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x2B, 0x2C, 0x2D, 0x2E, 0x3B, 0x3D, 0x5F, 0x7E:
            true
        default: false
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether these bytes are `text` (in lower case, of the same length) without regard to letter case.
    @inline(__always)
    func equals(lowerCase text: UnsafeRawBufferPointer) -> Bool {
        guard count == text.count else { return false }
        var index = 0
        while index < count {
            let byte = self[index]
            let lower = byte &- 65 < 26 ? byte | 32 : byte
            if lower != text[index] { return false }
            index &+= 1
        }
        return true
    }

    /// The same with a literal.
    @inline(__always)
    func equals(lowerCase text: StaticString) -> Bool {
        equals(lowerCase: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
