/// The tokens of a JSON text, checked letter by letter before json-c sees it.
///
/// json-c 0.16, strict flag or not, lets `NaN`, `Infinity`, `5.`, `-01`, `'names'`, raw control bytes,
/// overlong UTF-8 and halves of surrogate pairs through, and clamps integers beyond 64 bits. So every token's
/// spelling is checked here, and every number is taken out: `outline` is the same document with each number
/// replaced by its place in `numbers`. json-c then does what it is good at, the structure and the escapes,
/// and no digit of a rate can get lost in it.
struct JSONScan {
    /// The document with `0`, `1`, `2` … in place of its numbers, and a space at its end.
    private(set) var outline: [UInt8] = []
    /// The texts of the numbers, in the order they came.
    private(set) var numbers: [String] = []
    /// How many members all objects have together, by the colons outside of strings.
    ///
    /// A tree with fewer has lost some to a name that came twice.
    private(set) var memberCount = 0

    private let bytes: [UInt8]
    private let depth: Int
    private var place = 0
    private var level = 0

    /// Checks the tokens of a text; linear in its length, without recursion.
    ///
    /// Throws `malformed`, or `tooDeep` if more than `depth` brackets are open at once.
    init(_ bytes: [UInt8], depth: Int) throws(JSONFault) {
        self.bytes = bytes
        self.depth = depth
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .malformed }
        outline.reserveCapacity(bytes.count + 16)
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""): try string()
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
            case UInt8(ascii: "t"): try word("true")
            case UInt8(ascii: "f"): try word("false")
            case UInt8(ascii: "n"): try word("null")
            case UInt8(ascii: ":"):
                memberCount += 1
                pass(byte)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard level < depth else { throw .tooDeep }
                level += 1
                pass(byte)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                level -= 1
                pass(byte)
            case UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"),
                UInt8(ascii: "\r"):
                pass(byte)
            default: throw .malformed
            }
        }
        outline.append(UInt8(ascii: " "))
    }

    private var current: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func pass(_ byte: UInt8) {
        outline.append(byte)
        place += 1
    }

    private mutating func word(_ text: StaticString) throws(JSONFault) {
        for offset in 0..<text.utf8CodeUnitCount {
            let byte = text.utf8Start[offset]
            guard current == byte else { throw .malformed }
            pass(byte)
        }
        try endOfToken()
    }

    /// What may stand right after a number or a word: else `1x`, `01` or `nullnull` would be read as two.
    private func endOfToken() throws(JSONFault) {
        switch current {
        case nil, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: " "),
            UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            return
        default: throw .malformed
        }
    }

    // MARK: Numbers

    private mutating func number() throws(JSONFault) {
        let start = place
        if current == UInt8(ascii: "-") { place += 1 }
        if current == UInt8(ascii: "0") { place += 1 } else { try digits() }
        if current == UInt8(ascii: ".") {
            place += 1
            try digits()
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            place += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { place += 1 }
            try digits()
        }
        try endOfToken()
        outline.append(contentsOf: String(numbers.count).utf8)
        numbers.append(String(decoding: bytes[start..<place], as: UTF8.self))
    }

    private mutating func digits() throws(JSONFault) {
        let start = place
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { place += 1 }
        guard place > start else { throw .malformed }
    }

    // MARK: Strings

    private mutating func string() throws(JSONFault) {
        pass(UInt8(ascii: "\""))
        while let byte = current {
            pass(byte)
            switch byte {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): try escape()
            case 0..<0x20: throw .malformed
            default: continue
            }
        }
        throw .malformed
    }

    private mutating func escape() throws(JSONFault) {
        guard let byte = current else { throw .malformed }
        pass(byte)
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return
        case UInt8(ascii: "u"):
            switch try codeUnit() {
            case 0, 0xDC00...0xDFFF: throw .malformed
            case 0xD800...0xDBFF:
                guard current == UInt8(ascii: "\\") else { throw .malformed }
                pass(UInt8(ascii: "\\"))
                guard current == UInt8(ascii: "u") else { throw .malformed }
                pass(UInt8(ascii: "u"))
                guard (0xDC00...0xDFFF).contains(try codeUnit()) else { throw .malformed }
            default: return
            }
        default: throw .malformed
        }
    }

    private mutating func codeUnit() throws(JSONFault) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = current else { throw .malformed }
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw .malformed
            }
            value = value << 4 | UInt16(digit)
            pass(byte)
        }
        return value
    }
}
