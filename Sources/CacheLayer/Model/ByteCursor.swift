/// Reads a short ASCII text of fixed form from front to back.
///
/// Each verb takes what it names and moves on, or takes nothing and says so.
struct ByteCursor {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    var isAtEnd: Bool { position == bytes.count }

    mutating func take(_ literal: StaticString) -> Bool {
        literal.withUTF8Buffer { take($0) }
    }

    /// Takes one of the names; says which.
    mutating func take(oneOf names: [[UInt8]]) -> Int? {
        for (index, name) in names.enumerated() where take(name) { return index }
        return nil
    }

    /// Takes exactly so many digits; their value.
    mutating func takeNumber(digits count: Int) -> Int? {
        guard bytes.count - position >= count else { return nil }
        var value = 0
        for byte in bytes[position..<position + count] {
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            value = value * 10 + Int(digit)
        }
        position += count
        return value
    }

    /// How many digits come next.
    var digitsAhead: Int { bytes[position...].prefix { $0 &- UInt8(ascii: "0") <= 9 }.count }

    /// Takes `hh:mm:ss`; the second of the day, up to 86400 for a leap second at its end.
    mutating func takeTime() -> Int? {
        guard let hour = takeNumber(digits: 2), hour < 24, take(":") else { return nil }
        guard let minute = takeNumber(digits: 2), minute < 60, take(":") else { return nil }
        guard let second = takeNumber(digits: 2), second <= 60 else { return nil }
        return (hour * 60 + minute) * 60 + second
    }

    private mutating func take(_ literal: some Collection<UInt8>) -> Bool {
        guard bytes[position...].starts(with: literal) else { return false }
        position += literal.count
        return true
    }
}
