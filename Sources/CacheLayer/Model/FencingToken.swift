/// The ever-growing number of a lease: says which of two is newer, never whose something is.
///
/// Drawn by the store from its clock in milliseconds, so 13 digits for the next centuries.
package struct FencingToken: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let value: Int64

    /// Below every token that was ever drawn.
    package static let none = FencingToken(0)

    package init(_ value: Int64) { self.value = value }

    package var description: String { String(value) }

    package static func < (left: FencingToken, right: FencingToken) -> Bool { left.value < right.value }
}
