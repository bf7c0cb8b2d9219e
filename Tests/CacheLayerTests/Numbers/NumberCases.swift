import Foundation
import Testing

@testable import CacheLayer

/// Random decimal texts and values, the same in every run.
struct NumberCases: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A plain positive number: at most so many digits, so many of them decimals, no zeros in front.
    mutating func text(digits: ClosedRange<Int>, decimals: ClosedRange<Int>) -> String {
        let count = Int.random(in: digits, using: &self)
        let decimals = Int.random(in: decimals, using: &self)
        var bytes: [UInt8] = []
        // Runs of zeros and nines are where carries and ties hide.
        let kind = next() % 8
        for place in 0..<count {
            let digit: UInt64 =
                switch kind {
                case 0: 9
                case 1: place == 0 ? 1 : 0
                case 2: place == count - 1 ? 5 : place == 0 ? 1 : 0
                default: next() % 10
                }
            bytes.append(UInt8(ascii: "0") + UInt8(place == 0 && digit == 0 ? 1 : digit))
        }
        while bytes.count <= decimals { bytes.insert(UInt8(ascii: "0"), at: 0) }
        if decimals > 0 { bytes.insert(UInt8(ascii: "."), at: bytes.count - decimals) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The oracle's value of a plain text; never a literal, which would pass through `Double`.
func decimal(_ text: String) throws -> Decimal {
    try #require(Decimal(string: text))
}

/// A rate that a test states as text.
func rate(_ text: String) throws -> Rate {
    try Rate(json: text)
}

/// An exact number that a test states as text.
func exact(_ text: String) throws -> ExactNumber {
    try Amount(parsing: text).value
}

/// A currency that a test states as text.
func currency(_ code: String) throws -> Currency {
    try #require(Currency(code))
}

/// A live table with these rates, all as old as the table.
func table(_ base: String, _ rates: [(String, String)]) throws -> RateTable {
    RateTable(
        base: try currency(base), source: .live, marketSession: "open", timestamp: nil,
        dataTime: Timestamp(text: "2026-03-10T14:00:00Z", instant: UnixMilliseconds(1_773_151_200_000)),
        symbols: try rates.map { SymbolRate(currency: try currency($0), rate: try rate($1), source: .live) },
        hasSources: false, hasEffectiveAt: false, notice: nil)
}
