import CacheLayer

/// What the body of `POST /v1/convert` asks for: `{"from":"CHF","pairs":[["SEK",20],["JPY","7.5"]]}`.
///
/// Amounts may be numbers or strings; their text is what counts, so none passes through a binary fraction.
struct ConversionOrder {
    struct Pair {
        let to: Currency
        let amount: WrittenAmount
    }

    let from: Currency
    /// From 1 to 100, in the order they came; a currency may come more than once.
    let pairs: [Pair]

    private static let most = 100
    /// Object, list, pair: anything deeper is something else.
    private static let depth = 8

    /// Reads a body, strictly; members that aren't known are ignored.
    ///
    /// - Throws: a 400 that names what is missing or wrong.
    init(parsing body: [UInt8]) throws(Problem) {
        let tree: JSONTree
        do throws(JSONFault) {
            tree = try JSONTree.parse(body, depth: Self.depth)
        } catch {
            throw Problem(.invalidRequest, "The body is not strict JSON.")
        }
        guard tree.members != nil else { throw Problem(.invalidRequest, "The body is not a JSON object.") }
        guard let from = tree["from"] else { throw Problem(.missingParameter, "from is needed.") }
        guard let pairs = tree["pairs"] else { throw Problem(.missingParameter, "pairs is needed.") }
        guard let elements = pairs.elements, !elements.isEmpty else {
            throw Problem(.invalidRequest, "pairs must be a list of at least one [currency, amount].")
        }
        guard elements.count <= Self.most else {
            throw Problem(.invalidRequest, "pairs has more than \(Self.most) items.")
        }
        self.from = try Self.code(from, "from")
        var read: [Pair] = []
        for element in elements {
            guard let parts = element.elements, parts.count == 2 else {
                throw Problem(.invalidRequest, "Every item of pairs must be [currency, amount].")
            }
            guard let amount = parts[1].number ?? parts[1].string else {
                throw Problem(.invalidAmount, "An amount must be a number or a string.")
            }
            read.append(
                Pair(
                    to: try Self.code(parts[0], "pairs"),
                    amount: try WrittenAmount(parsing: Array(amount.utf8))))
        }
        self.pairs = read
    }

    private static func code(_ value: JSONTree, _ place: StaticString) throws(Problem) -> Currency {
        guard let text = value.string else {
            throw Problem(.invalidRequest, "\(place): a code must be a string.")
        }
        guard let code = Currency(text) else {
            throw .malformed(place, Array(text.utf8), "a currency code of 3 to 8 letters or digits")
        }
        return code
    }
}
