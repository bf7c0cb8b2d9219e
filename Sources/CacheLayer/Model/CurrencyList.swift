/// The currencies that upstream has, as it lists them.
///
/// Immutable. What it says of each is kept as it came; only what is decided by is read.
package struct CurrencyList: Hashable, Sendable {
    /// In which form upstream sends its list: answers are given in the same.
    package enum Form: String, Hashable, Sendable, CaseIterable {
        /// `{"result":"success","currencies":[{"code":"EUR",…}]}`.
        case list
        /// `{"result":"success","currencies":{"EUR":{…}}}`.
        case map
        /// `{"EUR":{…}}`, without `result`.
        case bareMap = "bare_map"
    }

    /// One currency.
    package struct Entry: Hashable, Sendable {
        package let code: Currency
        /// Its kind, such as `fiat`, as it came; nil where upstream says none, or nothing that is a word.
        package let type: String?
        /// The decimals of its smallest unit, within `MinorUnits.range`; nil where upstream says none that can be believed.
        package let decimals: Int?
        /// All that upstream says of it, as JSON text: an element of the list, or the value in a map.
        package let json: String
    }

    package let form: Form
    /// In upstream's order, each code once; never empty.
    package let entries: [Entry]
    /// Fields beside the list, as JSON text, in the order they came.
    package let extras: [RateTable.Extra]
    /// The decimals of those currencies where upstream's figure isn't ISO 4217's; mostly none.
    package let minorUnits: [Currency: Int]

    package init(form: Form, entries: [Entry], extras: [RateTable.Extra] = []) {
        self.form = form
        self.entries = entries
        self.extras = extras
        var others: [Currency: Int] = [:]
        for entry in entries {
            guard let decimals = entry.decimals, decimals != MinorUnits.decimals(of: entry.code) else {
                continue
            }
            others[entry.code] = decimals
        }
        minorUnits = others
    }

    /// The kinds that there are, in small letters, sorted.
    package var types: [String] { Set(entries.compactMap { $0.type?.lowercased() }).sorted() }

    /// What a snapshot of the list has in the place of a table: no rates, no base (ISO 4217's XXX), and the time of
    /// its arrival, since upstream gives the list none of its own.
    package static func table(arrived instant: UnixMilliseconds) -> RateTable {
        RateTable(
            base: noCurrency, source: source, marketSession: nil, timestamp: nil,
            dataTime: Timestamp(text: instant.rfc3339, instant: instant), symbols: [], hasSources: false,
            hasEffectiveAt: false, notice: nil)
    }

    /// The word that stands for a class, where there is none: two lists are always of one class.
    private static let source = Source(name: "list")

    private static let noCurrency: Currency = {
        guard let code = Currency("XXX") else { preconditionFailure("a code of three letters") }
        return code
    }()
}

extension CurrencyList.Entry {
    /// Reads what upstream says of a currency: an object, whose fields are kept whatever they are.
    ///
    /// - Returns: the entry, and whether a field that is read here has another type than it should; nil for what is no
    ///   object.
    static func read(
        _ value: JSONTree, code: Currency, limits: IngestLimits
    ) -> (entry: CurrencyList.Entry, hasOddField: Bool)? {
        guard value.members != nil else { return nil }
        let type = limits.label(value["type"])
        let decimals = Self.decimals(value["decimals"])
        func isOdd(_ name: String, _ isRead: Bool) -> Bool {
            guard let field = value[name], field != .null else { return false }
            return !isRead
        }
        let entry = CurrencyList.Entry(
            code: code, type: type, decimals: decimals, json: String(decoding: value.encoded, as: UTF8.self))
        return (entry, isOdd("type", type != nil) || isOdd("decimals", decimals != nil))
    }

    /// A whole number in digits alone, within what a minor unit can be.
    private static func decimals(_ value: JSONTree?) -> Int? {
        guard let text = value?.number, text.utf8.count <= 2, let number = Int(text),
            MinorUnits.range.contains(number)
        else { return nil }
        return number
    }
}
