import CacheLayer

extension Route {
    /// A route with what its query says besides.
    struct Parsed {
        let route: Route
        /// The past snapshot that is to answer; nil for the newest one.
        let pin: Pin?
        /// How fresh the answer must be to be of use.
        let wish: FreshnessWish
        /// Whether the answer is to say why it is what it is.
        let isExplained: Bool
        /// Whether the target may stand for its answer: not if there was a parameter that has no meaning, nor if the answer
        /// has to be judged each time.
        let isCanonical: Bool
    }

    /// Understands a path and its query, as they came.
    ///
    /// Without a base, USD is meant, as upstream has it: whatever the pivot is, a client must not get another currency's rates
    /// for one and the same request. Throws a 400 or 422 that names what is wrong.
    static func parse(_ path: RoutePath, query: UnsafeRawBufferPointer?) throws(Problem) -> Parsed {
        let query = try QueryText(query, known: path.name.parameters)
        let wish = try FreshnessWish(query)
        let pin = try Pin(query)
        guard pin == nil || (wish.maxDataAge == nil && wish.sources == nil && wish.rejectsStale != true)
        else {
            throw Problem(
                .invalidRequest,
                "A past snapshot has no freshness: leave max_data_age, sources and on_stale=reject out.")
        }
        let isExplained = try Self.isExplained(query)
        guard !isExplained || (pin == nil && query.value(.date) == nil) else {
            throw Problem(
                .invalidRequest, "explain speaks of the rates of now: leave snapshot, as_of and date out.")
        }
        return Parsed(
            route: try route(path, query), pin: pin, wish: wish, isExplained: isExplained,
            isCanonical: !query.hasStrangers && wish == .any && !isExplained)
    }

    private static func isExplained(_ query: QueryText) throws(Problem) -> Bool {
        switch query.value(.explain).map({ String(decoding: $0, as: UTF8.self) }) {
        case nil, "0": false
        case "1": true
        case .some: throw .malformed("explain", query.value(.explain) ?? [], "0 or 1")
        }
    }

    private static func route(_ path: RoutePath, _ query: QueryText) throws(Problem) -> Route {
        switch path.name {
        case .latest: .selection(try latest(path, query))
        case .rate: .selection(try rate(path, query))
        case .convert: .selection(try convert(path, query))
        case .convertBatch: .convertBatch(try ConvertOptions(query))
        case .snapshot:
            .snapshot(
                try Pin.id(path.parts[0], "path"),
                symbols: try query.value(.symbols).map { value throws(Problem) in
                    try SymbolList(parsing: value)
                },
                numbers: try NumberForm(parsing: query.value(.numbers)))
        case .day: .selection(try day(path, query))
        case .range: .selection(try range(query))
        case .currencies: .currencies(kind: try kind(query))
        case .account: .account
        case .stream: .stream(try stream(query))
        case .explain: .explain(try latest(path, query))
        case .status: .status
        case .sources: .sources
        case .quota: .quota
        case .events: .events
        case .healthz: .healthz
        case .readyz: .readyz
        case .metrics: .metrics
        case .openapi: .openapi
        case .dashboard: .dashboard
        case .adminRefresh: try refresh(path, query)
        case .adminCooldown: .adminLift(try scopes(query))
        case .adminCache: .adminPurge
        case .adminQuarantine: .adminAccept(try quarantineTarget(path))
        case .none: throw Problem(.notFound, "There is nothing at this path.")
        }
    }

    private static func latest(_ path: RoutePath, _ query: QueryText) throws(Problem) -> Selection {
        let (base, symbols) = try table(path.parts.first, query)
        return .latest(
            base: base, symbols: symbols, numbers: try NumberForm(parsing: query.value(.numbers)))
    }

    /// The base and the symbols of a table; the base may stand in the path, in the query, or nowhere.
    static func table(_ part: [UInt8]?, _ query: QueryText) throws(Problem) -> (Currency, SymbolList?) {
        let inPath = try part.map { part throws(Problem) in try code(part, "base") }
        let inQuery = try query.value(.base).map { value throws(Problem) in try code(value, "base") }
        let standard = try code("USD".utf8, "base")
        if let inPath, let inQuery, inPath != inQuery {
            throw Problem(.invalidRequest, "base is \(inPath) in the path, but \(inQuery) in the query.")
        }
        let symbols = try query.value(.symbols).map { value throws(Problem) in
            try SymbolList(parsing: value)
        }
        return (inPath ?? inQuery ?? standard, symbols)
    }

    private static func rate(_ path: RoutePath, _ query: QueryText) throws(Problem) -> Selection {
        let slug = path.parts[0]
        let codes = slug.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard codes.count == 2 else {
            throw Problem(
                .invalidPair, "\(SafeText.quoted(bytes: slug)) is not a pair of the form BASE-QUOTE.")
        }
        return .rate(
            base: try code(codes[0], "base"), quote: try code(codes[1], "quote"),
            numbers: try NumberForm(parsing: query.value(.numbers)))
    }

    private static func convert(_ path: RoutePath, _ query: QueryText) throws(Problem) -> Selection {
        .convert(
            from: try code(path.parts[0], "from"), to: try code(path.parts[1], "to"),
            amount: try WrittenAmount(parsing: path.parts[2]), options: try ConvertOptions(query))
    }

    /// The kind of currencies that is wanted, such as `fiat`, in small letters; nil for all.
    private static func kind(_ query: QueryText) throws(Problem) -> String? {
        guard let value = query.value(.type) else { return nil }
        let isWord = value.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard (1...32).contains(value.count), isWord else {
            throw .malformed("type", value, "a kind of currency, such as fiat")
        }
        return String(decoding: value, as: UTF8.self).lowercased()
    }

    private static func refresh(_ path: RoutePath, _ query: QueryText) throws(Problem) -> Route {
        let force = query.value(.force)
        let word = force.map { String(decoding: $0, as: UTF8.self) }
        guard word == nil || word == "true" || word == "false" else {
            throw .malformed("force", force ?? [], "true or false")
        }
        // No code is as long as that word.
        let resource: Resource =
            path.parts[0].elementsEqual("currencies".utf8)
            ? .currencies : .latest(base: try code(path.parts[0], "base"))
        return .adminRefresh(resource, force: word == "true")
    }

    /// `BASE-SYMBOL` or a snapshot's id: no code is as long as that, so the two can't be mistaken for each other.
    private static func quarantineTarget(_ path: RoutePath) throws(Problem) -> QuarantineTarget {
        let text = String(decoding: path.parts[0], as: UTF8.self)
        guard String(decoding: path.parts[1], as: UTF8.self) == "accept" else {
            throw Problem(.notFound, "There is nothing at this path.")
        }
        if let id = SnapshotID(parsing: text) { return .snapshot(id) }
        let codes = text.split(separator: "-", omittingEmptySubsequences: false).map {
            Currency(parsing: $0.utf8)
        }
        guard codes.count == 2, let base = codes[0], let symbol = codes[1] else {
            throw Problem(
                .notFound,
                "\(SafeText.quoted(bytes: path.parts[0])) is neither BASE-SYMBOL nor the id of a snapshot.")
        }
        return .symbol(base: base, symbol)
    }

    /// The one that is named, else those that an operator's act mostly ends: a month has to be named.
    private static func scopes(_ query: QueryText) throws(Problem) -> [CooldownScope] {
        guard let value = query.value(.scope) else { return [.short, .key] }
        guard let scope = CooldownScope(rawValue: String(decoding: value, as: UTF8.self)) else {
            throw .malformed("scope", value, "short, key or month")
        }
        return [scope]
    }

    private static func code(_ bytes: some Collection<UInt8>, _ place: StaticString) throws(Problem)
        -> Currency
    {
        guard let code = Currency(parsing: bytes) else {
            throw .malformed(place, bytes, "a currency code of 3 to 8 letters or digits")
        }
        return code
    }
}
