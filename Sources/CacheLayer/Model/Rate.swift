/// A positive exact decimal: the text it came as and its fixed-point value.
///
/// The value is `mantissa` × 10^-`scale`. The text is in plain notation.
package struct Rate: Hashable, Sendable {
    package let mantissa: Int128
    package let scale: Int
    package let text: String
}
