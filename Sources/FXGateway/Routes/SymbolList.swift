import CacheLayer

/// The symbols asked for: sorted and distinct, so that order and repetition make no other selection.
struct SymbolList: Hashable, Sendable {
    let codes: [Currency]

    private static let most = 200

    init(_ codes: some Sequence<Currency>) { self.codes = Set(codes).sorted() }

    /// Reads the decoded value of `symbols=`.
    ///
    /// Blanks around items are trimmed.
    ///
    /// - Throws: a 400 that names the item: empty ones, what is no code, more than 200.
    init(parsing value: [UInt8]) throws(Problem) {
        guard !value.isEmpty else {
            throw Problem(.invalidRequest, "symbols is empty: leave it out for all symbols.")
        }
        var codes: [Currency] = []
        for item in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let trimmed = Self.trim(item)
            guard !trimmed.isEmpty else { throw Problem(.invalidRequest, "symbols has an empty item.") }
            guard let code = Currency(parsing: trimmed) else {
                throw .malformed("symbols", trimmed, "a currency code of 3 to 8 letters or digits")
            }
            codes.append(code)
            guard codes.count <= Self.most else {
                throw Problem(.invalidRequest, "symbols has more than \(Self.most) items.")
            }
        }
        self.init(codes)
    }

    private static func trim(_ item: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var item = item
        while item.first == UInt8(ascii: " ") { item = item.dropFirst() }
        while item.last == UInt8(ascii: " ") { item = item.dropLast() }
        return item
    }
}
