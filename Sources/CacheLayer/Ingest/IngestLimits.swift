/// How much of an upstream answer is let in.
package struct IngestLimits: Hashable, Sendable {
    /// Bytes of a whole body: five hundred times what upstream sends.
    package var body: Int
    /// Arrays and objects inside each other.
    package var depth: Int
    /// Symbols in one table, the kept ones included: the world has some two hundred currencies.
    package var symbols: Int
    /// Bytes of all unknown fields together, names and values.
    package var extras: Int
    /// Bytes of the notice.
    package var notice: Int
    /// Bytes of a class or session name.
    package var label: Int
    /// How far a data time may be ahead of the store's clock.
    package var clockDifference: Duration

    /// No data time is before it: 1999-01-01T00:00:00Z, the first year of the euro's rates.
    static let earliestData = UnixMilliseconds(915_148_800_000)

    package init(
        body: Int = 1_048_576, depth: Int = 32, symbols: Int = 2_000, extras: Int = 65_536,
        notice: Int = 8_192, label: Int = 64, clockDifference: Duration = .seconds(300)
    ) {
        precondition(body > 0 && symbols > 0 && depth > 0, "limits are positive")
        precondition(extras >= 0 && notice >= 0 && label > 0, "limits aren't negative")
        self.body = body
        self.depth = depth
        self.symbols = symbols
        self.extras = extras
        self.notice = notice
        self.label = label
        self.clockDifference = clockDifference
    }

    /// The text of a class or session name; nil if it is none.
    ///
    /// Printable ASCII without blanks: it ends in headers and metric labels too.
    func label(_ value: JSONTree?) -> String? {
        guard let text = value?.string, (1...label).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return text
    }
}
