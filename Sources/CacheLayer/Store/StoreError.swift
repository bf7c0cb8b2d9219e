/// Why the store could not be asked.
///
/// "No" is never here: refusals are replies.
package enum StoreError: Error, Hashable, Sendable {
    /// The command had no effect, for certain: it may be sent again as it is.
    case notExecuted(StoreFault)
    /// The store takes no writes at present (full); reads go on.
    case writesRefused
    /// The command may have had its effect or may still have it.
    case outcomeUnknown(StoreFault)
    /// What the store holds there can't be read; the key's last part.
    case corrupt(String)
    /// The control is of a later version of this program, by its schema: it is left alone.
    case laterSchema(Int64)

    /// Whether the store's user lacks permission: no retry helps.
    var isDenial: Bool {
        switch self {
        case .notExecuted(.forbidden), .outcomeUnknown(.forbidden): true
        case .notExecuted, .outcomeUnknown, .writesRefused, .corrupt, .laterSchema: false
        }
    }
}
