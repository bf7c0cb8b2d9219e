/// Rows of cells as lines with aligned columns, for people.
struct TextTable: Sendable {
    /// One line for each row, two blanks between columns, none at a line's end.
    let lines: [String]

    /// Rows may have fewer cells than others; the first row of a `header` is followed by a ruler.
    init(_ rows: [[String]], hasHeader: Bool = false) {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        var written = rows.map { row in Self.line(row, widths) }
        if hasHeader, !written.isEmpty {
            written.insert(widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "), at: 1)
        }
        lines = written
    }

    private static func line(_ row: [String], _ widths: [Int]) -> String {
        var text = ""
        for (column, cell) in row.enumerated() {
            text += cell
            guard column < row.count - 1 else { break }
            text += String(repeating: " ", count: widths[column] - cell.count + 2)
        }
        while text.last == " " { text.removeLast() }
        return text
    }
}
