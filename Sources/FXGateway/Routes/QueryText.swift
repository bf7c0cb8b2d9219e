/// A query split into its parameters: decoded once, checked as a whole.
///
/// Unknown parameters are ignored, but noted: a target that holds one is no key for an answer.
struct QueryText {
    /// Whether there was a parameter that has no meaning on this route.
    private(set) var hasStrangers = false
    private var values: [(parameter: QueryParameter, value: [UInt8])] = []

    /// Splits the bytes after the `?`.
    ///
    /// Only the `known` parameters have a meaning on the route. Throws a 400 for a bad escape anywhere, and for a known
    /// parameter that comes twice.
    init(_ query: UnsafeRawBufferPointer?, known: [QueryParameter]) throws(Problem) {
        guard let query else { return }
        var start = 0
        while start <= query.count {
            var end = start
            while end < query.count, query[end] != UInt8(ascii: "&") { end += 1 }
            if end > start { try take(UnsafeRawBufferPointer(rebasing: query[start..<end]), known) }
            start = end + 1
        }
    }

    /// The decoded value; empty for `name=` and `name`, nil if the parameter isn't there.
    func value(_ parameter: QueryParameter) -> [UInt8]? {
        values.first { $0.parameter == parameter }?.value
    }

    private mutating func take(
        _ piece: UnsafeRawBufferPointer, _ known: [QueryParameter]
    ) throws(Problem) {
        var split = 0
        while split < piece.count, piece[split] != UInt8(ascii: "=") { split += 1 }
        let name = try PercentDecoding.decode(UnsafeRawBufferPointer(rebasing: piece[..<split]), in: "query")
        let value = try PercentDecoding.decode(
            UnsafeRawBufferPointer(rebasing: piece[min(split + 1, piece.count)...]), in: "query")
        guard let parameter = known.first(where: { name.elementsEqual($0.rawValue.utf8) }) else {
            hasStrangers = true
            return
        }
        guard self.value(parameter) == nil else {
            throw Problem(.invalidRequest, "\(parameter.rawValue) is given more than once.")
        }
        values.append((parameter, value))
    }
}
