/// The bytes of one log line.
struct LineBuilder {
    private(set) var bytes: [UInt8] = []
    /// A value longer than this many UTF-16 units is cut: a line stays readable, whatever a client sends.
    private static let longestValue = 1_024

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// The value as a JSON string: quotes, backslashes, controls and everything beyond ASCII escaped, so
    /// that neither a terminal nor a log reader can be led astray.
    mutating func appendQuoted(_ value: String) {
        bytes.append(UInt8(ascii: "\""))
        var rest = value.utf16.prefix(Self.longestValue)
        // Half a pair alone is no text: readers of JSON refuse the whole line for it.
        if let last = rest.last, UTF16.isLeadSurrogate(last) { rest.removeLast() }
        for unit in rest {
            switch unit {
            case 0x22, 0x5C: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(truncatingIfNeeded: unit)])
            case 0x20...0x7E: bytes.append(UInt8(truncatingIfNeeded: unit))
            default:
                let digits = String(unit, radix: 16)
                append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
