/// Rows of cells as lines with aligned columns, for people.
struct TextTable: Sendable {
    /// What stands in the first column or row, where that isn't data.
    enum Names: Sendable {
        case none
        /// The first row is a header; a ruler follows it.
        case inFirstRow
        case inFirstColumn
    }

    /// One line for each row, two blanks between columns, none at a line's end.
    let lines: [String]

    /// Rows may have fewer cells than others; cells that are states are painted, but no names.
    init(_ rows: [[String]], names: Names = .none, paint: Paint = .off) {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        var written = rows.enumerated().map { number, row in
            Self.line(row, widths) { column, text in
                switch names {
                case .inFirstRow where number == 0: paint.heading(text)
                case .inFirstColumn where column == 0: text
                case .none, .inFirstRow, .inFirstColumn: paint.cell(text)
                }
            }
        }
        if names == .inFirstRow, !written.isEmpty {
            written.insert(widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "), at: 1)
        }
        lines = written
    }

    /// Blanks are counted before the paint, which takes no room.
    private static func line(_ row: [String], _ widths: [Int], _ painted: (Int, String) -> String) -> String {
        let last = row.lastIndex { !$0.isEmpty } ?? -1
        var text = ""
        for (column, cell) in row.enumerated() where column <= last {
            text += painted(column, cell)
            if column < last { text += String(repeating: " ", count: widths[column] - cell.count + 2) }
        }
        return text
    }
}
