/// The currencies that the European Central Bank has quoted and quotes no more: no latest table names them, their years do.
///
/// From the bank's own list of reference rates since 1999. Pure; safe from any thread.
package enum RetiredCurrencies {
    /// Each with the first and the last year in which it was quoted.
    private static let years: [(code: StaticString, years: ClosedRange<Int>)] = [
        ("BGN", 2000...2025), ("CYP", 1999...2007), ("EEK", 1999...2010), ("HRK", 2005...2022),
        ("LTL", 1999...2014), ("LVL", 1999...2013), ("MTL", 1999...2007), ("ROL", 1999...2005),
        ("RUB", 2005...2022), ("SIT", 1999...2006), ("SKK", 1999...2008), ("TRL", 1999...2004),
    ]

    private static let currencies: [(currency: Currency, years: ClosedRange<Int>)] =
        years.compactMap { entry in Currency("\(entry.code)").map { ($0, entry.years) } }

    /// Those that were quoted in a year, in the order of their codes.
    package static func quoted(in year: Int) -> [Currency] {
        currencies.filter { $0.years.contains(year) }.map(\.currency)
    }

    /// Those that a year's rows may have: also what was quoted up to the end of the year before, and is carried over New Year.
    package static func carried(into year: Int) -> [Currency] {
        currencies.filter { $0.years.contains(year) || $0.years.contains(year - 1) }.map(\.currency)
    }

    /// Whether a code was quoted in any year.
    package static func contains(_ currency: Currency) -> Bool {
        currencies.contains { $0.currency == currency }
    }
}
