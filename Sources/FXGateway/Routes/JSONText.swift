/// Compact JSON, written member by member into bytes.
///
/// A value type that keeps no tree: what is written stays in that order, numbers go out as the text they came as. Strings
/// are escaped (RFC 8259 section 7); everything beyond ASCII goes out as UTF-8.
struct JSONText {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    init(reserving count: Int = 256) { bytes.reserveCapacity(count) }

    mutating func beginObject() { open(UInt8(ascii: "{")) }
    mutating func endObject() { close(UInt8(ascii: "}")) }
    mutating func beginArray() { open(UInt8(ascii: "[")) }
    mutating func endArray() { close(UInt8(ascii: "]")) }

    /// A member's name; its value comes next.
    mutating func name(_ name: StaticString) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// A member's name that isn't a literal; its value comes next.
    mutating func name(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func string(_ text: String) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20, 0x7F:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(Self.digit(byte >> 4))
                bytes.append(Self.digit(byte & 15))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// A value that is JSON already: a number's text, a fragment that was kept.
    mutating func verbatim(_ json: String) {
        comma()
        bytes.append(contentsOf: json.utf8)
        needsComma = true
    }

    mutating func boolean(_ value: Bool) { verbatim(value ? "true" : "false") }
    mutating func integer(_ value: Int) { verbatim(String(value)) }

    mutating func member(_ name: StaticString, string: String) {
        self.name(name)
        self.string(string)
    }

    mutating func member(_ name: StaticString, verbatim: String) {
        self.name(name)
        self.verbatim(verbatim)
    }

    mutating func member(_ name: StaticString, integer: Int) {
        self.name(name)
        self.integer(integer)
    }

    mutating func member(_ name: StaticString, boolean: Bool) {
        self.name(name)
        self.boolean(boolean)
    }

    private mutating func open(_ byte: UInt8) {
        comma()
        bytes.append(byte)
        needsComma = false
    }

    private mutating func close(_ byte: UInt8) {
        bytes.append(byte)
        needsComma = true
    }

    private mutating func comma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + 48 : value + 87 }
}
