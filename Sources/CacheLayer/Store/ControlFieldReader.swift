/// Reads single fields of a control, each strictly.
struct ControlFieldReader {
    let fields: [String: String]

    init(_ fields: [String: String]) { self.fields = fields }

    /// A whole number of at most 15 digits, without sign; nil for anything else.
    static func number(_ text: some StringProtocol) -> Int64? {
        guard (1...15).contains(text.utf8.count),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int64(text)
    }

    func number(_ name: String) throws(StateFileFault) -> Int64 {
        guard let number = fields[name].flatMap({ Self.number($0) }) else { throw .malformed }
        return number
    }

    /// Nil where the field is absent.
    func optional(_ name: String) throws(StateFileFault) -> Int64? {
        guard fields[name] != nil else { return nil }
        return try number(name)
    }

    /// A field of JSON; nil where it is absent.
    func tree(_ name: String) throws(StateFileFault) -> JSONTree? {
        guard let text = fields[name] else { return nil }
        guard let tree = try? JSONTree.parse(Array(text.utf8), depth: 8) else { throw .malformed }
        return tree
    }

    /// A list in JSON; empty where the field is absent.
    func list(_ name: String, most: Int) throws(StateFileFault) -> [JSONTree] {
        guard let tree = try tree(name) else { return [] }
        guard let elements = tree.elements, elements.count <= most else { throw .malformed }
        return elements
    }
}
