/// An exact decimal number that isn't negative: `mantissa` × 10^−`scale`.
///
/// Binary floating point never touches a rate or an amount. Factors stay below 10^18, so that a product fits.
struct FixedDecimal: Hashable, Sendable {
    let mantissa: UInt128
    /// Digits behind the point, 0 or more.
    let scale: Int

    init(mantissa: UInt128, scale: Int) {
        precondition(scale >= 0 && scale <= 38, "a scale outside the powers of ten at hand")
        self.mantissa = mantissa
        self.scale = scale
    }

    /// Reads `12`, `0.5`, `007.10`: digits with at most one point inside, 18 digits in all.
    ///
    /// No sign, exponent, blank or separator.
    init?(parsing text: some StringProtocol) {
        var mantissa: UInt128 = 0
        var scale = 0
        var digits = 0
        var hasPoint = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: "."), !hasPoint, digits > 0 {
                hasPoint = true
                continue
            }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), digits < 18 else { return nil }
            mantissa = mantissa * 10 + UInt128(byte - UInt8(ascii: "0"))
            digits += 1
            if hasPoint { scale += 1 }
        }
        guard digits > 0, !hasPoint || scale > 0 else { return nil }
        self.init(mantissa: mantissa, scale: scale)
    }

    var isZero: Bool { mantissa == 0 }

    /// The exact product.
    func times(_ other: FixedDecimal) -> FixedDecimal {
        FixedDecimal(mantissa: mantissa * other.mantissa, scale: scale + other.scale)
    }

    /// The quotient with so many significant digits, rounded once, half to even.
    ///
    /// - Precondition: `divisor` isn't zero; both have at most 18 digits.
    func divided(by divisor: FixedDecimal, significantDigits: Int) -> FixedDecimal {
        precondition(!divisor.isZero, "a division by zero")
        guard !isZero else { return FixedDecimal(mantissa: 0, scale: 0) }
        // Widen the dividend until the whole quotient has all digits wanted, then widen the divisor by the
        // digits too many: one rounding, on the exact remainder.
        var dividend = mantissa
        var exponent = scale - divisor.scale
        let least = Self.powerOfTen(significantDigits - 1)
        while dividend / divisor.mantissa < least {
            dividend *= 10
            exponent += 1
        }
        var widened = divisor.mantissa
        while dividend / widened >= least * 10 {
            widened *= 10
            exponent -= 1
        }
        let quotient = Self.halfEven(dividend, over: widened)
        return exponent >= 0
            ? FixedDecimal(mantissa: quotient, scale: exponent).trimmed
            : FixedDecimal(mantissa: quotient * Self.powerOfTen(-exponent), scale: 0)
    }

    /// Rounded to so many digits behind the point, half to even.
    func rounded(places: Int) -> FixedDecimal {
        guard scale > places else { return self }
        return FixedDecimal(
            mantissa: Self.halfEven(mantissa, over: Self.powerOfTen(scale - places)), scale: places)
    }

    /// Without zeros at the end of the fraction.
    var trimmed: FixedDecimal {
        var (mantissa, scale) = (mantissa, scale)
        while scale > 0, mantissa % 10 == 0 {
            mantissa /= 10
            scale -= 1
        }
        return FixedDecimal(mantissa: mantissa, scale: scale)
    }

    /// Plain notation: `0.00012`, `85.14`, `1841`.
    var plainText: String {
        let digits = String(mantissa)
        guard scale > 0 else { return digits }
        let padded = String(repeating: "0", count: max(0, scale + 1 - digits.count)) + digits
        return "\(padded.dropLast(scale)).\(padded.suffix(scale))"
    }

    /// As common JSON writers put it: plain, but `4.93214e-05` below 0.0001.
    var jsonText: String {
        let digits = String(mantissa)
        let exponent = digits.count - 1 - scale
        guard exponent < -4, !isZero else { return plainText }
        let fraction = digits.dropFirst()
        return "\(digits.prefix(1))\(fraction.isEmpty ? "" : ".")\(fraction)e-\(padded(-exponent, to: 2))"
    }

    static func powerOfTen(_ exponent: Int) -> UInt128 {
        (0..<exponent).reduce(into: UInt128(1)) { power, _ in power *= 10 }
    }

    private static func halfEven(_ dividend: UInt128, over divisor: UInt128) -> UInt128 {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        // Compared without doubling, which could overflow.
        let gap = divisor - remainder
        if remainder < gap { return quotient }
        if remainder > gap { return quotient + 1 }
        return quotient + quotient % 2
    }
}
