/// The rows of one page of a range, taken in one by one.
struct RowIntake {
    let base: Currency
    let span: YearSpan
    let limits: IngestLimits

    private(set) var entries: [YearTable.Entry] = []
    private var notes: IngestNotes
    private var faults: [Currency: IngestNotes.MissingReason] = [:]
    private var unknownSources: Set<String> = []

    init(base: Currency, span: YearSpan, limits: IngestLimits, notes: IngestNotes) {
        self.base = base
        self.span = span
        self.limits = limits
        self.notes = notes
    }

    /// Takes one element of `data`.
    ///
    /// - Throws: `badRows` if it has no date, one outside of the span, or one that isn't after the last; `duplicateNames` for
    ///   a currency that comes twice; `wrongBase` for a base that isn't exactly 1.
    mutating func take(_ row: JSONTree) throws(IngestError) {
        guard let text = row["date"]?.string, let date = CivilDate(parsing: text.utf8),
            (span.first...span.last).contains(date), entries.last.map({ $0.date < date }) ?? true,
            let rates = row["rates"]?.members
        else { throw .badRows }
        var source = Source(name: "unknown")
        // Neither mark stands in a label: rows are kept as text with them between their parts.
        if let name = limits.label(row["source"]), !name.contains(where: { $0 == "," || $0 == ";" }) {
            source = Source(name: name)
        } else {
            notes.add(.field)
        }
        if case .unknown(let name) = source { unknownSources.insert(name) }
        var isForwardFilled = false
        switch row["is_forward_filled"] {
        case .bool(let isFilled): isForwardFilled = isFilled
        case nil, .null: break
        case .some: notes.add(.field)
        }
        let taken = try usable(rates)
        guard !taken.isEmpty else { return }
        entries.append(
            YearTable.Entry(
                date: date, source: source, isForwardFilled: isForwardFilled, rates: taken))
    }

    /// What was remarkable, each symbol without a usable number once.
    var closedNotes: IngestNotes {
        var closed = notes
        closed.missing = faults.sorted { $0.key < $1.key }.map { currency, reason in
            .init(currency: currency, reason: reason, isKept: false)
        }
        closed.unknownSources = unknownSources.sorted()
        return closed
    }

    private mutating func usable(_ members: [JSONTree.Member]) throws(IngestError) -> [Currency: Rate] {
        var rates: [Currency: Rate] = [:]
        var seen: Set<Currency> = []
        for member in members {
            guard let currency = Currency(member.name) else {
                notes.add(.invalidCode)
                continue
            }
            guard seen.insert(currency).inserted else { throw .duplicateNames }
            guard seen.count <= limits.symbols else {
                notes.add(.tooManySymbols)
                continue
            }
            guard currency != base else {
                try Ingest.requireOne(member.value)
                continue
            }
            do throws(RateTextError) {
                guard let text = member.value.number else { throw .notANumber }
                rates[currency] = try Rate(json: text)
            } catch {
                faults[currency] = .init(error)
            }
        }
        return rates
    }
}
