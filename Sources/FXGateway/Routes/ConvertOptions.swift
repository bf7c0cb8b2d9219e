import CacheLayer

/// How a conversion is to be given.
struct ConvertOptions: Hashable, Sendable {
    var rounding = RoundingMode.halfEven
    var numbers = NumberForm.number
    /// The day at whose rates is converted; nil for the latest.
    var date: CivilDate?

    init() {}

    /// Reads `rounding=`, `numbers=` and `date=`.
    ///
    /// - Throws: a 400 for a word that is none of theirs, and for parameters that would ask for another rate than the
    ///   one of now or of a day.
    init(_ query: QueryText) throws(Problem) {
        if query.value(.date) != nil, query.value(.asOf) != nil || query.value(.snapshot) != nil {
            throw Problem(
                .invalidRequest, "date, snapshot and as_of each name a past rate: use one of them.")
        }
        date = try query.value(.date).map { value throws(Problem) in try Route.date(value, "date") }
        numbers = try NumberForm(parsing: query.value(.numbers))
        guard let word = query.value(.rounding) else { return }
        guard let mode = RoundingMode(rawValue: String(decoding: word, as: UTF8.self)) else {
            throw .malformed("rounding", word, "half_even, half_up, down or up")
        }
        rounding = mode
    }
}
