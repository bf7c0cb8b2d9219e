import CacheLayer

/// Routes of past days.
extension Route {
    static func day(_ path: RoutePath, _ query: QueryText) throws(Problem) -> Selection {
        let date = try date(path.parts[0], "date")
        let (base, symbols) = try table(path.parts.dropFirst().first, query)
        return .day(
            date, base: base, symbols: symbols, numbers: try NumberForm(parsing: query.value(.numbers)))
    }

    static func range(_ query: QueryText) throws(Problem) -> Selection {
        let (base, symbols) = try table(nil, query)
        let start = try needed(.startDate, query)
        let end = try needed(.endDate, query)
        guard start <= end else {
            throw Problem(.badDate, "start_date \(start.text) is after end_date \(end.text).")
        }
        let first = RangeQuery(
            base: base, symbols: symbols, start: start, end: end, after: nil,
            format: try RangeFormat(parsing: query.value(.format)),
            numbers: try NumberForm(parsing: query.value(.numbers)))
        guard let cursor = query.value(.cursor) else { return .range(first) }
        return .range(
            RangeQuery(
                base: base, symbols: symbols, start: start, end: end,
                after: try RangeCursor.day(parsing: cursor, of: first), format: first.format,
                numbers: first.numbers))
    }

    /// Reads a day: there is no other form of it than upstream's, and no zone than UTC.
    ///
    /// - Throws: a 400 `bad_date` that names it.
    static func date(_ value: [UInt8], _ name: StaticString) throws(Problem) -> CivilDate {
        guard let date = CivilDate(parsing: value) else {
            throw Problem(
                .badDate, "\(name): \(SafeText.quoted(bytes: value)) is not a day of the form YYYY-MM-DD.")
        }
        return date
    }

    private static func needed(
        _ parameter: QueryParameter, _ query: QueryText
    ) throws(Problem) -> CivilDate {
        guard let value = query.value(parameter) else {
            throw Problem(.missingParameter, "\(parameter.rawValue) is needed.")
        }
        return try date(value, parameter == .startDate ? "start_date" : "end_date")
    }
}
