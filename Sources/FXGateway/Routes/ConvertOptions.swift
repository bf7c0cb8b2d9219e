import CacheLayer

/// How a conversion is to be given.
struct ConvertOptions: Hashable, Sendable {
    var rounding = RoundingMode.halfEven
    var numbers = NumberForm.number

    init() {}

    /// Reads `rounding=` and `numbers=`.
    ///
    /// - Throws: a 400 for a word that is none of theirs, and for parameters that would ask for another rate than the
    ///   latest one.
    init(_ query: QueryText) throws(Problem) {
        if query.value(.date) != nil {
            throw Problem(
                .invalidRequest,
                "date is not offered: the latest rates convert, or those of a snapshot or as_of an instant.")
        }
        numbers = try NumberForm(parsing: query.value(.numbers))
        guard let word = query.value(.rounding) else { return }
        guard let mode = RoundingMode(rawValue: String(decoding: word, as: UTF8.self)) else {
            throw .malformed("rounding", word, "half_even, half_up, down or up")
        }
        rounding = mode
    }
}
