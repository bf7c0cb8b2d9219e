import CacheLayer

/// Where the next page of a range begins: behind a day.
///
/// Opaque to clients and all that there is to know: any instance goes on with it, at any time. It carries a digest of the
/// range that it is of, so that a cursor of another one, or a mistyped one, is refused and never answered with a hole.
enum RangeCursor {
    private static let digestDigits = 16

    /// The cursor of a page whose last row is of `day`.
    static func text(after day: CivilDate, of range: RangeQuery) -> String {
        day.text.filter { $0 != "-" } + digest(day, range)
    }

    /// The day behind which a page begins, by the cursor of `range`.
    ///
    /// - Throws: a 400 that names the cursor, unless it is one of this range.
    static func day(parsing text: [UInt8], of range: RangeQuery) throws(Problem) -> CivilDate {
        let dash = UInt8(ascii: "-")
        guard text.count == 8 + digestDigits,
            let day = CivilDate(parsing: text[..<4] + [dash] + text[4..<6] + [dash] + text[6..<8]),
            text[8...].elementsEqual(digest(day, range).utf8)
        else { throw .malformed("cursor", text, "a cursor of this range") }
        return day
    }

    private static func digest(_ day: CivilDate, _ range: RangeQuery) -> String {
        let symbols = range.symbols?.codes.map(\.code).joined(separator: ",") ?? "*"
        let named = "range 1 \(range.base) \(symbols) \(range.start.text) \(range.end.text) \(day.text)"
        return String(ContentDigest(of: Array(named.utf8)).hexadecimal.prefix(digestDigits))
    }
}
