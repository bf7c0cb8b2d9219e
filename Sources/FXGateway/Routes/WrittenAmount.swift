import CacheLayer

/// An amount together with how it was written: 1.10 and 1.1 are one amount, but two answers.
struct WrittenAmount: Hashable, Sendable {
    let amount: Amount
    /// In plain notation, a JSON number, with all the decimals that it came with.
    let text: String

    /// Reads an amount.
    ///
    /// - Throws: a 400 `invalid_amount` that shows the text, cut.
    init(parsing bytes: some Collection<UInt8>) throws(Problem) {
        do throws(AmountError) {
            amount = try Amount(parsing: bytes)
        } catch {
            throw Problem(.invalidAmount, "The \(error.description).")
        }
        text = amount.description
    }

    static func == (left: WrittenAmount, right: WrittenAmount) -> Bool { left.text == right.text }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
