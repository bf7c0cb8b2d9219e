/// The daily rows of one calendar year of a base, as upstream has them, and the days before it that its first days carry.
///
/// Immutable. Packed: the digits stand in one block of bytes and are read when they are asked for, 60 to 80 KB for a year of
/// thirty currencies.
package struct YearTable: Hashable, Sendable {
    package let base: Currency
    package let year: Int
    /// The columns, in the order of their codes, without the base.
    package let symbols: [Currency]
    /// In the order of their dates, each date once.
    package let rows: [Row]
    /// Whether these are all the rows that upstream had; false between two pages.
    package let isComplete: Bool
    /// Upstream's disclaimer, passed on unchanged; nil where it sends none with its rows.
    package let notice: String?
    /// As in `RateTable`.
    package let minorUnits: [Currency: Int]
    /// What upstream says with its tables of the ECB's rates: rows come without, and the attribution is owed all the same.
    private static let notice = "Indicative rates, not for settlement. Source: incl. ECB statistics."
    /// The rates' texts of all rows by column, each with a comma behind it; nothing before it where there is no rate.
    let cells: [UInt8]

    /// One row as it comes: a rate or nil for each column.
    package struct Entry: Sendable {
        package let date: CivilDate
        package let source: Source
        package let isForwardFilled: Bool
        package let rates: [Currency: Rate]

        package init(date: CivilDate, source: Source, isForwardFilled: Bool, rates: [Currency: Rate]) {
            self.date = date
            self.source = source
            self.isForwardFilled = isForwardFilled
            self.rates = rates
        }
    }

    /// What a row says beside its rates.
    package struct Row: Hashable, Sendable {
        package let date: CivilDate
        /// The one class that upstream gives for the row.
        package let source: Source
        /// Whether the values are those of an earlier day.
        package let isForwardFilled: Bool
        /// When the values were observed: for the ECB's, the publication of the day that they are from; for other
        /// classes that day's midnight UTC, since upstream says no more.
        package let dataTime: UnixMilliseconds
        /// Where its digits begin.
        let start: Int
    }

    /// Puts rows together; `entries` are in the order of their dates, each date once.
    package init(
        base: Currency, year: Int, entries: [Entry], isComplete: Bool, notice: String? = nil,
        minorUnits: [Currency: Int] = [:]
    ) {
        var codes = Set<Currency>()
        for entry in entries { codes.formUnion(entry.rates.keys) }
        codes.remove(base)
        let symbols = codes.sorted()
        var cells: [UInt8] = []
        var rows: [Row] = []
        rows.reserveCapacity(entries.count)
        var fixDay: CivilDate?
        for entry in entries {
            if !entry.isForwardFilled || fixDay == nil { fixDay = entry.date }
            rows.append(
                Row(
                    date: entry.date, source: entry.source, isForwardFilled: entry.isForwardFilled,
                    dataTime: Self.dataTime(of: fixDay ?? entry.date, entry.source), start: cells.count))
            for symbol in symbols {
                if let rate = entry.rates[symbol] { cells.append(contentsOf: rate.text.utf8) }
                cells.append(UInt8(ascii: ","))
            }
        }
        self.base = base
        self.year = year
        self.symbols = symbols
        self.rows = rows
        self.isComplete = isComplete
        self.notice = notice
        self.minorUnits = minorUnits
        self.cells = cells
    }

    /// What it takes in memory, about.
    package var byteCount: Int { cells.count + rows.count * MemoryLayout<Row>.stride + symbols.count * 8 }

    /// The newest row at or before a day; nil if all are later.
    package func row(onOrBefore date: CivilDate) -> Row? {
        let place = place(after: date)
        return place > 0 ? rows[place - 1] : nil
    }

    /// The rows from one day to another, both included.
    package func rows(from start: CivilDate, through end: CivilDate) -> ArraySlice<Row> {
        guard start <= end else { return [] }
        return rows[place(before: start)..<place(after: end)]
    }

    /// The table of a row: all that it has rates of, or of those only that are named, in the order of their codes.
    package func table(of row: Row, only codes: [Currency]? = nil) -> RateTable {
        var rates: [SymbolRate] = []
        var wanted = codes?[...]
        var place = row.start
        for symbol in symbols {
            var end = place
            while cells[end] != UInt8(ascii: ",") { end += 1 }
            defer { place = end + 1 }
            if wanted != nil {
                while let first = wanted?.first, first < symbol { wanted?.removeFirst() }
                guard wanted?.first == symbol else { continue }
            }
            guard end > place, let rate = try? Rate(json: cells[place..<end]) else { continue }
            rates.append(SymbolRate(currency: symbol, rate: rate, source: row.source))
        }
        return RateTable(
            base: base, source: row.source, marketSession: nil, timestamp: nil,
            dataTime: Timestamp(text: row.dataTime.rfc3339, instant: row.dataTime), symbols: rates,
            hasSources: true, hasEffectiveAt: false, notice: notice ?? Self.notice,
            minorUnits: minorUnits)
    }

    /// The table of the newest row; nil if there is none.
    package var newestTable: RateTable? { rows.last.map { table(of: $0) } }

    /// The rows as they came, to be put together with others.
    package var entries: [Entry] {
        rows.map { row in
            let rates = table(of: row).symbols.map { ($0.currency, $0.rate) }
            return Entry(
                date: row.date, source: row.source, isForwardFilled: row.isForwardFilled,
                rates: Dictionary(uniqueKeysWithValues: rates))
        }
    }

    /// The place of the first row that isn't before a day.
    private func place(before date: CivilDate) -> Int { firstPlace { $0.date >= date } }

    /// The place of the first row after a day.
    private func place(after date: CivilDate) -> Int { firstPlace { $0.date > date } }

    private func firstPlace(_ isFound: (Row) -> Bool) -> Int {
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            if isFound(rows[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private static func dataTime(of day: CivilDate, _ source: Source) -> UnixMilliseconds {
        source == .ecbDaily ? PublicationCalendar.ecb.publication(on: day) : UnixMilliseconds(day)
    }
}
