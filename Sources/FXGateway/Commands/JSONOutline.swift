import CacheLayer

/// An answer of the gateway as lines for people: names and values, indented, lists of objects as tables.
///
/// Whatever the answer has is shown, under the names that it has there.
struct JSONOutline: Sendable {
    private(set) var lines: [String] = []
    private let paint: Paint

    /// Made from an answer's document; control characters in it are shown escaped.
    init(_ tree: JSONTree, paint: Paint = .off) {
        self.paint = paint
        lines = lines(of: tree)
    }

    private func lines(of tree: JSONTree) -> [String] {
        switch tree {
        case .object(let members): lines(of: members)
        case .array(let elements): lines(of: elements)
        case .null, .bool, .number, .string: [Self.text(tree)]
        }
    }

    private func lines(of members: [JSONTree.Member]) -> [String] {
        let plain = members.filter { Self.isFlat($0.value) }
        let rows = plain.map { [SafeText.line($0.name), Self.text($0.value)] }
        var lines = TextTable(rows, names: .inFirstColumn, paint: paint).lines
        for member in members where !Self.isFlat(member.value) {
            lines.append(paint.heading("\(SafeText.line(member.name)):"))
            lines += self.lines(of: member.value).map { "  \($0)" }
        }
        return lines
    }

    private func lines(of elements: [JSONTree]) -> [String] {
        guard !elements.isEmpty else { return ["none"] }
        var names: [String] = []
        for element in elements {
            for member in element.members ?? [] where !names.contains(member.name) {
                names.append(member.name)
            }
        }
        let isTable = elements.allSatisfy { $0.members?.allSatisfy { Self.isFlat($0.value) } ?? false }
        guard isTable else { return elements.flatMap { lines(of: $0) + [""] }.dropLast() }
        let rows = elements.map { element in names.map { name in element[name].map(Self.text) ?? "" } }
        return TextTable([names.map(SafeText.line)] + rows, names: .inFirstRow, paint: paint).lines
    }

    /// Whether it fits on a line: a value, or a list of a few.
    private static func isFlat(_ tree: JSONTree) -> Bool {
        switch tree {
        case .null, .bool, .number, .string: true
        case .array(let elements): elements.allSatisfy { $0.members == nil && $0.elements == nil }
        case .object(let members): members.isEmpty
        }
    }

    private static func text(_ tree: JSONTree) -> String {
        switch tree {
        case .null: "-"
        case .bool(let value): value ? "yes" : "no"
        case .number(let text): text
        case .string(let text): SafeText.line(text)
        case .array(let elements): elements.isEmpty ? "none" : elements.map(text).joined(separator: " ")
        case .object: ""
        }
    }
}
