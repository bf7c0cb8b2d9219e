import Foundation

/// A point in time as bodies carry it.
///
/// Read: RFC 3339 with `Z` or an offset and any fraction; a bare day, as its midnight in UTC; an integer, as Unix
/// seconds, or as milliseconds from 10¹¹ on (as seconds that would be the year 5138). Refused: everything else,
/// a time without zone above all. Written: RFC 3339 in UTC, to the microsecond.
struct WireTime: Hashable, Sendable, Codable {
    let date: Date

    init(_ date: Date) { self.date = date }

    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 10, let day = CivilTime.day(bytes[..<10]) else { return nil }
        let midnight = Int64(CivilTime.daysSince1970(day)) * 86_400
        if bytes.count == 10 {
            self.init(seconds: midnight, microseconds: 0)
        } else {
            guard let time = TimeOfDay(bytes[10...]) else { return nil }
            self.init(seconds: midnight + Int64(time.utcSeconds), microseconds: time.microseconds)
        }
    }

    init?(unix: Int64) {
        switch unix {
        case 0..<100_000_000_000: self.init(seconds: unix, microseconds: 0)
        case 100_000_000_000..<100_000_000_000_000:
            self.init(seconds: unix / 1_000, microseconds: Int(unix % 1_000) * 1_000)
        default: return nil
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let time =
            if let text = try? container.decode(String.self) { WireTime(text) } else {
                WireTime(unix: try container.decode(Int64.self))
            }
        guard let time else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a point in time")
        }
        self = time
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard let text else {
            let context = EncodingError.Context(
                codingPath: encoder.codingPath, debugDescription: "outside the years 1 to 9999")
            throw EncodingError.invalidValue(date, context)
        }
        try container.encode(text)
    }

    /// 64 bits on every system: an `Int` has 32 on older watches.
    private init(seconds: Int64, microseconds: Int) {
        // One division, so that writing and reading again gives the same Date.
        date = Date(timeIntervalSince1970: Double(seconds * 1_000_000 + Int64(microseconds)) / 1_000_000)
    }

    /// RFC 3339 in UTC, without needless digits; nil outside the years 1 to 9999.
    var text: String? {
        let sinceEpoch = (date.timeIntervalSince1970 * 1_000_000).rounded()
        guard let micros = Int64(exactly: sinceEpoch) else { return nil }
        let (days, ofDay) = Self.dividing(micros, by: 86_400_000_000)
        // A date of the years 1 to 9999 lies within.
        guard abs(days) < 4_000_000, let day = CivilTime.day(daysSince1970: Int(days)) else { return nil }
        let (wholeSeconds, rest) = Self.dividing(ofDay, by: 1_000_000)
        let (seconds, fraction) = (Int(wholeSeconds), Int(rest))
        let clock = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { CivilTime.padded($0, to: 2) }
        var text = "\(day)T" + clock.joined(separator: ":")
        if fraction > 0 {
            text += "." + CivilTime.padded(fraction, to: 6)
            while text.hasSuffix("0") { text.removeLast() }
        }
        return text + "Z"
    }

    /// Rounds down, also below zero.
    private static func dividing(
        _ value: Int64, by divisor: Int64
    ) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// The part of RFC 3339 from the `T` on.
private struct TimeOfDay {
    /// Seconds from the day's midnight in UTC, below zero or over a day with an offset.
    let utcSeconds: Int
    let microseconds: Int

    init?(_ bytes: ArraySlice<UInt8>) {
        let start = bytes.startIndex
        guard bytes.count >= 10, bytes[start] | 0x20 == UInt8(ascii: "t"),
            bytes[start + 3] == UInt8(ascii: ":"), bytes[start + 6] == UInt8(ascii: ":"),
            let hour = CivilTime.number(bytes[start + 1..<start + 3]), hour < 24,
            let minute = CivilTime.number(bytes[start + 4..<start + 6]), minute < 60,
            let second = CivilTime.number(bytes[start + 7..<start + 9]), second < 60
        else { return nil }
        var rest = bytes[(start + 9)...]
        var microseconds = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (48...57).contains($0) }
            guard !digits.isEmpty else { return nil }
            for place in 0..<6 {
                microseconds =
                    microseconds * 10
                    + (place < digits.count ? Int(digits[digits.startIndex + place] - 48) : 0)
            }
            rest = rest[digits.endIndex...]
        }
        guard let offset = Self.offset(rest) else { return nil }
        self.microseconds = microseconds
        utcSeconds = hour * 3_600 + minute * 60 + second - offset
    }

    /// Seconds east of UTC, from `Z` or `±hh:mm`.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let sign = bytes.first else { return nil }
        if sign | 0x20 == UInt8(ascii: "z") { return bytes.count == 1 ? 0 : nil }
        let start = bytes.startIndex
        guard bytes.count == 6, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            bytes[start + 3] == UInt8(ascii: ":"),
            let hours = CivilTime.number(bytes[start + 1..<start + 3]), hours < 24,
            let minutes = CivilTime.number(bytes[start + 4..<start + 6]), minutes < 60
        else { return nil }
        return (hours * 3_600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }
}
