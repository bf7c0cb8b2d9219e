/// A calendar day, without time and zone.
public struct Day: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The year, 1 to 9999.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// A day of the proleptic Gregorian calendar; nil if it doesn't exist there.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month),
            (1...CivilTime.days(inMonth: month, of: year)).contains(day)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads `YYYY-MM-DD`, nothing shorter or longer; nil for a day that doesn't exist.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, let day = CivilTime.day(bytes[...]) else { return nil }
        self = day
    }

    /// Reads a string of the form `YYYY-MM-DD`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let day = Day(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a day YYYY-MM-DD")
        }
        self = day
    }

    /// Writes `YYYY-MM-DD`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// The form `YYYY-MM-DD`.
    public var description: String {
        CivilTime.padded(year, to: 4) + "-" + CivilTime.padded(month, to: 2) + "-"
            + CivilTime.padded(day, to: 2)
    }

    /// The earlier day is the smaller one.
    public static func < (left: Day, right: Day) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}
