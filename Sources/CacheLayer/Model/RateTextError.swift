/// Why a JSON token is no rate.
///
/// The raw value is the word for counters and logs.
package enum RateTextError: String, Error, Hashable, Sendable, CaseIterable {
    /// Not a number by the grammar of RFC 8259: words, strings, blanks, leading zeros, `5.`, `NaN` …
    case notANumber = "not_a_number"
    case zero
    case negative
    /// More than `Rate.mostDigits` significant digits; closing zeros count.
    case tooManyDigits = "too_many_digits"
    /// Not between 10^-18 and 10^18.
    case outOfRange = "out_of_range"
}
