/// How many decimals a currency's smallest unit has.
///
/// ISO 4217, list one, and for retired codes list three: the exceptions to two decimals. ICU's and the CLDR's figures are
/// those of cash and differ (HUF and others have 2 here). No state.
package enum MinorUnits {
    /// Upstream's own figure is believed within these bounds.
    package static let range = 0...10

    /// The decimals that an amount of the currency is rounded to.
    ///
    /// Upstream's figure goes first where it sends a believable one. Codes that are no ISO currency's (other than
    /// three letters) and ISO's entries without a minor unit (metals, XDR, funds' units, test codes) have none.
    ///
    /// - Returns: nil if there is no minor unit: an amount then stays unrounded.
    package static func decimals(of currency: Currency, upstream: Int? = nil) -> Int? {
        if let upstream, range.contains(upstream) { return upstream }
        if let exception = exceptions[currency] { return exception }
        // Three letters: nothing behind the third byte, and no digit among them.
        let isISO = currency.packed << 24 == 0 && currency.bytes.allSatisfy { $0 >= UInt8(ascii: "A") }
        return isISO ? 2 : nil
    }

    private static let exceptions: [Currency: Int?] = {
        let byDecimals = [
            // Retired: ADP BEF BYB BYR ESP GRD ITL LUF MGF PTE TPE TRL.
            0: """
            BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF
            ADP BEF BYB BYR ESP GRD ITL LUF MGF PTE TPE TRL
            """,
            3: "BHD IQD JOD KWD LYD OMR TND",
            4: "CLF UYW",
            // Not ISO's, but in use as codes of three letters: the bitcoin, 10^8 satoshi.
            8: "BTC XBT",
        ]
        var table: [Currency: Int?] = [:]
        for (decimals, codes) in byDecimals {
            for code in currencies(codes) { table[code] = .some(decimals) }
        }
        for code in currencies(without) { table[code] = .some(nil) }
        return table
    }()

    private static let without = "XAG XAU XBA XBB XBC XBD XDR XFO XFU XPD XPT XSU XTS XUA XXX"

    private static func currencies(_ codes: String) -> [Currency] {
        codes.split { $0 == " " || $0 == "\n" }.compactMap { Currency($0) }
    }
}
