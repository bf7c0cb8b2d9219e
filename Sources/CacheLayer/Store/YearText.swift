/// The rows of a year as one text: `date,class,filled,rate,rate,…` by row, rows behind each other with semicolons.
///
/// Where a column has no rate, nothing stands. No part can hold a comma or a semicolon: what lets rows in sees to it.
enum YearText {
    static func encode(_ year: YearTable) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(year.cells.count + year.rows.count * 24)
        for (index, row) in year.rows.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ";")) }
            bytes += row.date.text.utf8
            bytes += ",\(row.source.name)".utf8
            bytes += (row.isForwardFilled ? ",1" : ",0").utf8
            let end = index + 1 < year.rows.count ? year.rows[index + 1].start : year.cells.count
            // Without the last comma: it ends the row's last cell.
            if !year.symbols.isEmpty {
                bytes.append(UInt8(ascii: ","))
                bytes += year.cells[row.start..<end - 1]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads what `encode` wrote, strictly: dates that grow, as many cells as columns, rates by their grammar.
    static func decode(
        _ text: String, columns: [Currency]
    ) throws(SnapshotCodecError) -> [YearTable.Entry] {
        var entries: [YearTable.Entry] = []
        for line in Array(text.utf8).split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
            let parts = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            guard parts.count == columns.count + 3, let date = CivilDate(parsing: parts[0]),
                entries.last.map({ $0.date < date }) ?? true,
                let name = IngestLimits().label(.string(String(decoding: parts[1], as: UTF8.self)))
            else { throw .malformed }
            let flag = String(decoding: parts[2], as: UTF8.self)
            guard flag == "0" || flag == "1" else { throw .malformed }
            var rates: [Currency: Rate] = [:]
            for (column, cell) in zip(columns, parts.dropFirst(3)) where !cell.isEmpty {
                guard let rate = try? Rate(json: cell) else { throw .malformed }
                rates[column] = rate
            }
            entries.append(
                YearTable.Entry(
                    date: date, source: Source(name: name), isForwardFilled: flag == "1", rates: rates))
        }
        return entries
    }
}
