/// Numbers with their units, as they stand in configuration: `60s`, `1MiB`, `10%`, `0.95`.
///
/// Only ASCII digits, no sign, no blank, nothing behind the unit. All functions are pure and give nil for everything else,
/// also for what doesn't fit.
enum UnitText {
    /// A whole number from zero on.
    static func count(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.count <= 18, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    /// `250ms`, `60s`, `15m`, `2h`, `4d`.
    static func duration(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = count(digits), number <= 1_000_000_000 else { return nil }
        return switch text[digits.endIndex...] {
        case "ms": .milliseconds(number)
        case "s": .seconds(number)
        case "m": .seconds(number * 60)
        case "h": .seconds(number * 3_600)
        case "d": .seconds(number * 86_400)
        default: nil
        }
    }

    /// The shortest text that `duration` reads back, for whole milliseconds.
    static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        if attoseconds != 0 { return "\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)ms" }
        let longest = lengths.first { seconds > 60 && seconds >= $0.seconds && seconds % $0.seconds == 0 }
        guard let longest else { return "\(seconds)s" }
        return "\(seconds / longest.seconds)\(longest.unit)"
    }

    private static let lengths: [(seconds: Int64, unit: String)] = [(86_400, "d"), (3_600, "h"), (60, "m")]

    /// `512B`, `64KiB`, `256MiB`, `2GiB`, in bytes.
    static func bytes(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = count(digits), number <= 1 << 30 else { return nil }
        return switch text[digits.endIndex...] {
        case "B": number
        case "KiB": number << 10
        case "MiB": number << 20
        case "GiB": number << 30
        default: nil
        }
    }

    /// The shortest text that `bytes` reads back.
    static func text(bytes: Int) -> String {
        guard bytes > 0 else { return "\(bytes)B" }
        return switch bytes.trailingZeroBitCount {
        case 30...: "\(bytes >> 30)GiB"
        case 20...: "\(bytes >> 20)MiB"
        case 10...: "\(bytes >> 10)KiB"
        default: "\(bytes)B"
        }
    }

    /// A percentage with at most two decimals, in basis points: `10%` is 1000, `2.5%` is 250.
    static func basisPoints(_ text: String) -> Int? {
        guard text.hasSuffix("%") else { return nil }
        return decimal(text.dropLast(), places: 2)
    }

    /// The text that `basisPoints` reads back.
    static func text(basisPoints: Int) -> String {
        let fraction = basisPoints % 100
        guard fraction != 0 else { return "\(basisPoints / 100)%" }
        let digits =
            fraction % 10 == 0 ? "\(fraction / 10)" : (fraction < 10 ? "0\(fraction)" : "\(fraction)")
        return "\(basisPoints / 100).\(digits)%"
    }

    /// A decimal with at most `places` decimals, times ten to that power: `0.95` with three places is 950.
    static func decimal(_ text: some StringProtocol, places: Int) -> Int? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ count($0) }), whole <= 1_000_000 else { return nil }
        let digits = parts.count == 2 ? String(parts[1]) : ""
        guard parts.count == 1 || !digits.isEmpty, digits.utf8.count <= places else { return nil }
        let padded = digits + String(repeating: "0", count: places - digits.utf8.count)
        guard let fraction = places == 0 ? 0 : count(padded) else { return nil }
        return (0..<places).reduce(whole) { value, _ in value * 10 } + fraction
    }

    /// The text of a share of 1 to 1000 permille that `decimal` reads back with three places.
    static func text(permille: Int) -> String {
        guard permille < 1_000 else { return "1" }
        var digits = String(permille)
        digits = String(repeating: "0", count: 3 - digits.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return "0.\(digits)"
    }
}
