/// The two things all limit fields have in common: blanks around them, and whole numbers.
enum RetryFieldText {
    /// Where a number is cut, however many digits it has: in seconds, some 3,000 years.
    static let mostNumber: Int64 = 100_000_000_000

    /// The bytes without blanks and tabs at both ends.
    static func trimmed(_ text: some Sequence<UInt8>) -> [UInt8] {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var bytes = Array(text.drop(while: isBlank))
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return bytes
    }

    /// Digits alone as a number, cut at `mostNumber`; nil for anything else, a sign or nothing at all.
    static func number(_ digits: some Sequence<UInt8>) -> Int64? {
        var number: Int64?
        for byte in digits {
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            number = min((number ?? 0) * 10 + Int64(digit), mostNumber)
        }
        return number
    }
}
