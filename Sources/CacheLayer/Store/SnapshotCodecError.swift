/// Why stored bytes are no snapshot: a miss to the caller, with a word for the counter.
///
/// Never carries any of the bytes.
package enum SnapshotCodecError: String, Error, Hashable, Sendable, CaseIterable {
    /// Longer than any snapshot can be: not even looked at.
    case tooLarge = "too_large"
    /// No JSON document: garbage, truncated, empty.
    case notJSON = "not_json"
    /// Written by another version, older or newer.
    case otherSchema = "other_schema"
    /// A field is missing, of another type or out of its range.
    case malformed
    /// The bytes say something else than the fields that stand beside them in the store.
    case disagrees
}
