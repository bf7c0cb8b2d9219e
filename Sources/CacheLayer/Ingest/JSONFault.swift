/// Why a text is not a JSON document that is let in.
///
/// Never carries any of the text.
package enum JSONFault: Error, Hashable, Sendable {
    /// Not JSON by RFC 8259, or with what RFC 7493 forbids: bad UTF-8, half a surrogate pair, a byte
    /// order mark; also U+0000 in a string, since a C string would end there.
    case malformed
    /// More arrays and objects inside each other than allowed.
    case tooDeep
    /// An object names a member twice: readers disagree on which one counts, so neither is believed.
    case duplicateNames
}
