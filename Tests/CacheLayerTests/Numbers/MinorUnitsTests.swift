import Testing

@testable import CacheLayer

@Suite("Minor units")
struct MinorUnitsTests {
    @Test(
        "C016: they are those of ISO 4217",
        arguments: [
            (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
            (2, "USD EUR GBP HUF MGA MRU CNY INR TWD CZK TRY XCD XCG BGN HRK EEK"),
            (3, "BHD IQD JOD KWD LYD OMR TND"), (4, "CLF UYW"), (8, "BTC"),
        ])
    func table(decimals: Int, codes: String) throws {
        for code in codes.split(separator: " ") {
            #expect(MinorUnits.decimals(of: try currency(String(code))) == decimals, "\(code)")
        }
    }

    @Test(
        "metals, XDR and codes that aren't ISO's have none",
        arguments: ["XAU", "XAG", "XDR", "XXX", "SATS", "USDT", "U2D"])
    func none(code: String) throws {
        #expect(MinorUnits.decimals(of: try currency(code)) == nil)
    }

    @Test("upstream's figure goes first if it is believable")
    func upstream() throws {
        #expect(MinorUnits.decimals(of: try currency("ISK"), upstream: 2) == 2)
        #expect(MinorUnits.decimals(of: try currency("XAU"), upstream: 6) == 6)
        #expect(MinorUnits.decimals(of: try currency("JPY"), upstream: 0) == 0)
        #expect(MinorUnits.decimals(of: try currency("JPY"), upstream: -1) == 0)
        #expect(MinorUnits.decimals(of: try currency("USD"), upstream: 11) == 2)
        #expect(MinorUnits.decimals(of: try currency("USD"), upstream: 10) == 10)
    }
}
