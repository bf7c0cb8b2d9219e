/// What came from outside, made fit for a message: cut, and without a byte that could do anything.
enum SafeText {
    /// Longer than any code, parameter or amount that is taken.
    private static let longest = 64

    /// The text in single quotes; beyond printable ASCII, and quotes and backslashes, as `\u{...}`.
    static func quoted(_ text: String) -> String {
        var result = "'"
        for scalar in text.unicodeScalars.prefix(longest) { append(scalar, to: &result) }
        return result + (text.unicodeScalars.dropFirst(longest).isEmpty ? "'" : "...'")
    }

    /// The same for bytes that may not even be UTF-8: those are shown as `\xNN`.
    static func quoted(bytes: some Collection<UInt8>) -> String {
        var result = "'"
        for byte in bytes.prefix(longest) {
            if byte < 0x80 {
                append(Unicode.Scalar(byte), to: &result)
            } else {
                result += "\\x" + String(byte, radix: 16)
            }
        }
        return result + (bytes.count > longest ? "...'" : "'")
    }

    /// The text whole, as one line of a terminal: what would move the cursor or turn the direction is shown as `\u{...}`.
    static func line(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
        switch scalar.value {
        case 0x27, 0x5C, 0..<0x20, 0x7F...: result += "\\u{\(String(scalar.value, radix: 16))}"
        default: result.unicodeScalars.append(scalar)
        }
    }
}
