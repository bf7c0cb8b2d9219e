/// What a script changes inside a generated body.
package struct AnswerOverrides: Equatable, Sendable {
    /// Exact JSON text by symbol; nil leaves the symbol out.
    ///
    /// A symbol that a table lacks is added.
    package var rates: [String: String?] = [:]
    /// In place of `data_updated_at` and of every symbol's `effective_at`.
    package var dataTime: String?
    /// In place of `source` and of every symbol's class.
    package var source: String?
    /// In place of `market_session`.
    package var session: String?
    /// Exact JSON text by top-level field; nil leaves the field out.
    package var fields: [String: String?] = [:]

    package init() {}

    static let none = AnswerOverrides()
}
