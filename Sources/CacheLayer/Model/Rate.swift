/// A positive exact decimal: the text it came as and its fixed-point value.
///
/// The value is `mantissa` × 10^-`scale`. The text is in plain notation. Equal and ordered by value, so that 1.10 is 1.1
/// and 0.30000000000000004 isn't 0.3; compare the texts where the digits themselves matter. Safe from any thread.
///
/// Bounds of a published rate: at most 36 significant digits, at least 10^-18 and less than 10^18. They are far
/// outside all money and narrow enough that no inverse, cross or conversion of two rates can overflow.
package struct Rate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// All digits as one positive integer.
    package let mantissa: Int128
    /// How many of the digits are decimals; at least 0.
    package let scale: Int
    /// The value in plain notation, a JSON number: with all the zeros it came with.
    package let text: String

    package static let mostDigits = 36

    /// The exponent of the first significant digit of a published rate.
    package static let magnitudes = -18...17

    /// What one unit of a currency is in that currency.
    package static let one = Rate(mantissa: 1, scale: 0, text: "1")

    /// Reads a JSON number token as it stands in a body.
    ///
    /// Without an exponent the text is kept as it came, closing zeros and all; with one it is written plainly
    /// (9.1E-009 becomes 0.0000000091).
    ///
    /// - Throws: the first of these that holds: `.notANumber`, `.zero`, `.negative`, `.tooManyDigits`,
    ///   `.outOfRange`.
    package init(json token: some Collection<UInt8>) throws(RateTextError) {
        guard let number = JSONNumber(token) else { throw .notANumber }
        guard number.significantDigits > 0 else { throw .zero }
        guard !number.isNegative else { throw .negative }
        guard number.significantDigits <= Self.mostDigits else { throw .tooManyDigits }
        let scale = number.decimals - (number.exponent ?? 0)
        guard Self.magnitudes.contains(number.significantDigits - 1 - scale) else { throw .outOfRange }
        guard number.exponent != nil else {
            self.init(
                mantissa: Int128(number.mantissa), scale: scale, text: String(decoding: token, as: UTF8.self))
            return
        }
        // The range leaves at most 18 places to fill before the point.
        let filled = number.mantissa * PowersOfTen.power(max(0, -scale))
        self.init(mantissa: filled, scale: max(0, scale))
    }

    /// Reads a JSON number token, given as text.
    package init(json token: some StringProtocol) throws(RateTextError) {
        try self.init(json: token.utf8)
    }

    /// The rate of a computed value, or nil if it is zero or its magnitude doesn't fit (38 digits).
    package init?(_ number: ExactNumber) {
        guard let magnitude = number.magnitude.word, magnitude > 0, magnitude <= UInt128(Int128.max) else {
            return nil
        }
        self.init(mantissa: magnitude, scale: number.scale)
    }

    private init(mantissa: UInt128, scale: Int) {
        let number = ExactNumber(magnitude: UInt256(mantissa), scale: scale)
        self.init(mantissa: Int128(mantissa), scale: scale, text: number.description)
    }

    private init(mantissa: Int128, scale: Int, text: String) {
        self.mantissa = mantissa
        self.scale = scale
        self.text = text
    }

    /// The same value, ready for arithmetic.
    package var exact: ExactNumber { ExactNumber(magnitude: UInt256(mantissa.magnitude), scale: scale) }

    package var description: String { text }

    package static func == (left: Rate, right: Rate) -> Bool {
        left.scale == right.scale ? left.mantissa == right.mantissa : left.exact == right.exact
    }

    package static func < (left: Rate, right: Rate) -> Bool {
        left.scale == right.scale ? left.mantissa < right.mantissa : left.exact < right.exact
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(exact)
    }
}
