/// Why a text or a number is no time of upstream's.
///
/// The raw value is the word for counters and logs.
package enum TimestampError: String, Error, Hashable, Sendable, CaseIterable {
    /// Not of the form: junk, blanks, cut off, too many digits.
    case malformed
    /// A date and a time without `Z` or an offset: it could mean any of 26 hours.
    case noZone = "no_zone"
    /// Of the form, but there is no such day or time.
    case impossible
}
