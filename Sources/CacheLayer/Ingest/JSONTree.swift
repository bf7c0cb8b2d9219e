/// A JSON document as a value, with the text of every number.
///
/// No number is ever turned into a binary fraction or a machine integer: what is done with its digits is up
/// to the reader. Names of an object are unique and keep their order.
package enum JSONTree: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The number's text as it came, by the grammar of RFC 8259: `-0`, `1e999` and forty digits are possible.
    case number(String)
    case string(String)
    case array([JSONTree])
    case object([Member])

    /// One name of an object with its value.
    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: JSONTree
        package init(_ name: String, _ value: JSONTree) {
            self.name = name
            self.value = value
        }
    }

    /// The value of a name; nil if this is no object or has no such name.
    ///
    /// A search from the start: for the few fields of an envelope, not for a map of rates.
    package subscript(name: String) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The text of a string; nil for anything else.
    package var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The text of a number; nil for anything else.
    package var number: String? {
        guard case .number(let text) = self else { return nil }
        return text
    }

    /// The entries of an array; nil for anything else.
    package var elements: [JSONTree]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members of an object; nil for anything else.
    package var members: [Member]? {
        guard case .object(let members) = self else { return nil }
        return members
    }
}
