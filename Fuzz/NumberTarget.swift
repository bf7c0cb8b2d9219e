@testable import CacheLayer

/// Amounts, rates, and conversions by them: no digit is lost, whatever the text.
///
/// The input: an amount, then up to two rates and the decimals of the target, with bytes of 0xFF between them.
enum NumberTarget {
    static func run(_ bytes: [UInt8]) {
        let parts = Parts.split(bytes, most: 4)
        let amount = amount(parts[0])
        let rates = parts.dropFirst().prefix(2).map(rate)
        guard let amount, let first = rates.first, let first else { return }
        let minorUnits = parts.at(3)?.first.map { Int($0 % 11) }
        convert(amount, first, rates.at(1) ?? nil, minorUnits)
    }

    // MARK: Texts

    /// The grammar in a second writing: digits, perhaps a point and digits.
    private static func isAmount(_ text: [UInt8]) -> Bool {
        let halves = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return (1...2).contains(halves.count)
            && halves.allSatisfy { !$0.isEmpty && $0.allSatisfy { (48...57).contains($0) } }
    }

    private static func amount(_ text: [UInt8]) -> Amount? {
        let digits = Digits(plain: text)
        do throws(AmountError) {
            let amount = try Amount(parsing: text)
            claim(isAmount(text), "\(Parts.text(text)) was taken for an amount")
            claim(Digits(plain: Array(amount.description.utf8)) == digits, "\(amount) of \(Parts.text(text))")
            claim((try? Amount(parsing: amount.description)) == amount, "\(amount) isn't read back")
            let isPlain = JSONNumber(Array(amount.description.utf8)) != nil
            claim(isPlain, "\(amount) is no JSON number")
            claim(amount.value.trimmed == amount.value, "\(amount) isn't what it is without zeros")
            return amount
        } catch {
            claimIsFit(error.description, atMost: 160)
            guard isAmount(text) else { return nil }
            let (significant, decimals) = (digits.magnitude.count, digits.scale)
            claim(
                error.reason == .tooLong
                    && (text.count > 128 || significant > 36 || significant - decimals > 30 || decimals > 36),
                "\(Parts.text(text)) was refused as \(error.reason)")
            return nil
        }
    }

    private static func rate(_ text: [UInt8]) -> Rate? {
        do throws(RateTextError) {
            let rate = try Rate(json: text)
            let number = JSONNumber(Array(rate.text.utf8))
            claim(number?.exponent == .some(nil), "\(rate) isn't plain")
            if !text.contains(where: { $0 | 32 == UInt8(ascii: "e") }) {
                claim(rate.text == Parts.text(text), "\(rate) of \(Parts.text(text))")
            }
            guard let again = try? Rate(json: rate.text) else { fatalError("\(rate) isn't read back") }
            claim(again == rate && again.text == rate.text, "\(rate) is read back as \(again)")
            let digits = Digits(plain: Array(rate.exact.description.utf8))
            claim(digits == Digits(plain: Array(rate.text.utf8)), "\(rate.exact) of \(rate)")
            claim(digits == Digits(scientific: text), "\(rate) of \(Parts.text(text))")
            return rate
        } catch {
            // It says no number's own text: only the reason.
            claim(!error.rawValue.isEmpty, "an error without a word")
            return nil
        }
    }

    // MARK: Conversions

    private static func convert(_ amount: Amount, _ first: Rate, _ second: Rate?, _ minorUnits: Int?) {
        guard let usd = Currency("USD"), let eur = Currency("EUR"), let jpy = Currency("JPY") else { return }
        let entries = [(eur, first), (jpy, second)].compactMap { code, rate in
            rate.map { SymbolRate(currency: code, rate: $0, source: .live) }
        }
        let table = RateTable(
            base: usd, source: .live, marketSession: nil, timestamp: nil,
            dataTime: Timestamp(text: "", instant: UnixMilliseconds(0)), symbols: entries, hasSources: false,
            hasEffectiveAt: false, notice: nil)
        let pairs = [(usd, eur), (eur, usd), (eur, jpy), (jpy, eur), (eur, eur)]
        for (from, to) in pairs {
            guard let pair = try? PairQuote(from, to, in: table) else { continue }
            claim(pair.rate.mantissa > 0, "\(from)-\(to) is \(pair.rate)")
            for mode in RoundingMode.allCases {
                guard
                    let result = try? Conversion(
                        of: amount, at: pair, minorUnits: minorUnits, rounding: mode)
                else { fatalError("\(amount) by \(pair.rate) is out of range") }
                claimIsRight(result)
            }
        }
    }

    /// |result × denominator − amount × numerator| is what the rounding allows, counted in whole digits.
    private static func claimIsRight(_ conversion: Conversion) {
        let (amount, pair) = (conversion.amount.value, conversion.pair)
        let exact = Digits(plain: amount.description) * Digits(plain: pair.numerator.text)
        let denominator = Digits(plain: pair.denominator.text)
        let rounded = Digits(plain: conversion.rounded.description) * denominator
        if let decimals = conversion.minorUnits {
            claim(conversion.rounded.scale == decimals, "\(conversion.rounded) hasn't \(decimals) decimals")
            let unit = Digits(magnitude: [1], scale: decimals) * denominator
            let isUp = rounded > exact
            let difference = isUp ? rounded - exact : exact - rounded
            let twice = difference + difference
            switch conversion.rounding {
            case .down: claim(!isUp && difference < unit, "\(conversion.rounded) isn't rounded down")
            case .up: claim((isUp || rounded == exact) && difference < unit, "\(conversion.rounded) isn't up")
            case .halfUp: claim(twice < unit || isUp && twice == unit, "\(conversion.rounded) isn't nearest")
            case .halfEven:
                let isEven = conversion.rounded.magnitude.low & 1 == 0
                claim(twice < unit || isEven && twice == unit, "\(conversion.rounded) isn't nearest")
            }
        }
        let unrounded = Digits(plain: conversion.unrounded.description) * denominator
        guard pair.derivation.isDerived else {
            return claim(unrounded == exact, "\(conversion.unrounded) has lost a digit")
        }
        // 24 significant digits: off by half of the last at the most.
        let difference = unrounded > exact ? unrounded - exact : exact - unrounded
        let scaled = difference * Digits(magnitude: [2] + Array(repeating: 0, count: 23), scale: 0)
        claim(!(scaled > exact), "\(conversion.unrounded) is too far off")
    }
}
