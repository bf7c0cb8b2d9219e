import CacheLayer
import Testing

@testable import FXGateway

@Suite("Routes and queries")
struct QueryGrammarTests {
    /// The route of a target, or the refusal.
    private func parse(_ target: String) -> Result<Route.Parsed, Problem> {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = Array(parts[0].utf8)
        let query = parts.count == 2 ? Array(parts[1].utf8) : nil
        return path.withUnsafeBytes { path in
            do throws(Problem) {
                guard let query else {
                    return .success(try Route.parse(try RoutePath(path), query: nil))
                }
                let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: query.count, alignment: 1)
                defer { bytes.deallocate() }
                bytes.copyBytes(from: query)
                return .success(
                    try Route.parse(try RoutePath(path), query: UnsafeRawBufferPointer(bytes)))
            } catch {
                return .failure(error)
            }
        }
    }

    private func route(_ target: String) -> Route? { try? parse(target).get().route }

    private func problem(_ target: String) -> Problem? {
        guard case .failure(let problem) = parse(target) else { return nil }
        return problem
    }

    @Test(
        "C030, C039, C042: one selection, however it is written",
        arguments: [
            "/v1/latest/USD?symbols=EUR,GBP", "/v1/latest?base=USD&symbols=EUR,GBP",
            "/v1/latest?symbols=EUR,GBP",
            "/v1/latest?symbols=GBP,EUR&base=USD", "/v1/latest?base=USD&symbols=GBP,EUR,GBP",
            "/v1/latest?base=usd&symbols=eur,gbp", "/v1/latest/usd?symbols=eur,Gbp",
            "/v1/latest/USD?symbols=EUR,%20GBP", "/v1/latest/USD?symbols=EUR%2CGBP",
            "/v1/latest/USD?symbols=EUR%2C%20GBP", "/v1/latest/%55SD?symbols=%45UR,GBP",
            "/v1/latest/USD?x=1&symbols=EUR,GBP&y", "/v1/latest/USD?base=usd&symbols=EUR,GBP&",
            "/v1/latest/USD?%73ymbols=EUR,GBP", "/v1/latest/USD?symbols=EUR,GBP&numbers=number",
        ])
    func oneSelection(target: String) throws {
        let wanted = Selection.latest(
            base: .usd, symbols: SymbolList([.eur, .gbp]), numbers: .number)
        #expect(route(target) == .selection(wanted))
    }

    @Test("an unknown parameter is ignored, but its target is no key for an answer")
    func strangers() throws {
        #expect(try parse("/v1/latest?symbols=EUR").get().isCanonical)
        #expect(try !parse("/v1/latest?symbols=EUR&_=17").get().isCanonical)
        #expect(try !parse("/v1/latest?symbols[]=EUR").get().isCanonical)
        #expect(try !parse("/v1/rate/USD-EUR?symbols=EUR").get().isCanonical)
    }

    @Test(
        "C039, C040, C044: what is no list is refused and named",
        arguments: [
            "symbols=", "symbols", "symbols=,", "symbols=EUR,", "symbols=,EUR", "symbols=EUR,,GBP",
            "symbols=EUR&symbols=GBP", "symbols=EUR&Symbols=GBP&symbols=EUR", "symbols=EUR,+GBP",
            "symbols=EUR;GBP",
            "symbols=EUR|GBP", "symbols=%25s", "symbols=EUR%25n%25s%25s", "symbols=EU", "symbols=EURO12345",
            "symbols=%zz", "symbols=%FF", "symbols=%ED%A0%80", "symbols=EUR%00", "symbols=%", "symbols=%2",
            "symbols=%E2%82%AC", "symbols=EUR&x=%zz", "%FF=1", "symbols=EUR,\u{131}NR",
        ])
    func badLists(query: String) {
        let problem = problem("/v1/latest/USD?" + query)
        #expect(problem?.kind == .invalidRequest)
        let names = problem.map { $0.detail.contains("symbols") || $0.detail.contains("query") }
        #expect(names == true)
    }

    @Test("200 symbols are taken, 201 are not")
    func symbolLimit() {
        let codes = (0..<201).map { "A\(100 + $0)" }
        #expect(route("/v1/latest?symbols=" + codes.dropLast().joined(separator: ",")) != nil)
        #expect(problem("/v1/latest?symbols=" + codes.joined(separator: ","))?.kind == .invalidRequest)
    }

    @Test(
        "C032, C044: what is no base is refused and named, never cut or trimmed",
        arguments: [
            "/v1/latest?base=EU", "/v1/latest?base=EUR%00", "/v1/latest?base=%20EUR",
            "/v1/latest?base=%E2%82%AC",
            "/v1/latest?base=%25b", "/v1/latest?base=%25%25", "/v1/latest?base=", "/v1/latest?base=USD,EUR",
            "/v1/latest/EUR%00", "/v1/latest/USD%2FEUR", "/v1/latest/EUR?base=USD",
            "/v1/latest?base=USD&base=USD",
            "/v1/rate/EU-USD", "/v1/latest/", "/v1/rate/EUR-US%24", "/v1/convert/EU/USD/1",
        ])
    func badBases(target: String) {
        #expect(problem(target)?.kind == .invalidRequest)
    }

    @Test(
        "C162: bytes that are no text are refused, wherever they stand",
        arguments: ["/%C0%80", "/%e3h", "/%00", "/v1/latest/%ED%A0%80", "/?symbols=%FF", "/v1/%2e%2e%zz"])
    func badPaths(target: String) {
        let status = problem(target)?.kind.status
        #expect(status == 400 || status == 404)
    }

    @Test(
        "C006, C008: what is no plain amount is refused, nothing is cut off",
        arguments: [
            "12abc", "%2012", "12%20", "1_000", "0x10", "%EF%BC%91%EF%BC%92", "+5", "5.", ".5", "--1", "1%D9",
            "%E2%80", "1%C2%A0", "1%D9%AB5", "-1", "1e3", "1,000", String(repeating: "9", count: 60),
            String(repeating: "9", count: 1_000), "NaN",
        ])
    func badAmounts(amount: String) {
        let problem = problem("/v1/convert/USD/EUR/\(amount)")
        #expect(problem?.kind.status == 400)
        #expect((problem?.detail.utf8.count ?? 999) < 400)
    }

    @Test("an empty amount is no route of its own")
    func emptyAmount() {
        #expect(problem("/v1/convert/USD/EUR/")?.kind.status == 400)
        #expect(problem("/v1/convert/USD/EUR")?.kind == .notFound)
    }

    @Test("amounts of one value but other decimals are other selections")
    func amountsByText() throws {
        #expect(route("/v1/convert/USD/EUR/1.1") != route("/v1/convert/USD/EUR/1.10"))
        #expect(route("/v1/convert/USD/EUR/1.1") == route("/v1/convert/usd/eur/1.1?rounding=half_even"))
    }

    @Test(
        "other known parameters have their words, and what would need another rate is refused",
        arguments: [
            "/v1/latest?numbers=text", "/v1/convert/USD/EUR/1?rounding=ceiling",
            "/v1/convert/USD/EUR/1?snapshot=x", "/v1/convert/USD/EUR/1?date=2026-01-01&as_of=2026-01-01",
            "/admin/refresh/USD?force=yes",
        ])
    func badWords(target: String) {
        #expect(problem(target)?.kind == .invalidRequest)
    }

    @Test("a slug without its dash is an invalid pair, as upstream says it")
    func slugs() {
        #expect(problem("/v1/rate/EURUSD")?.kind == .invalidPair)
        #expect(problem("/v1/rate/EUR-USD-GBP")?.kind == .invalidPair)
        let pair = Selection.rate(base: .eur, quote: .usd, numbers: .number)
        #expect(route("/v1/rate/eur-Usd") == .selection(pair))
    }

    @Test(
        "there is nothing at other paths",
        arguments: [
            "//", "/index.html", "/v1", "/v1/", "/v1//latest", "/v1/latest/USD/", "/v1/mcp", "/v1/history",
            "/V1/latest",
            "/x/../v1/latest", "/x/%2e%2e/v1/latest", "/v1/rates/USD/EUR", "/admin/refresh", "/healthz/",
        ])
    func nothing(target: String) {
        #expect(problem(target)?.kind == .notFound)
    }

    @Test("C112: a refusal shows what was sent only cut and escaped")
    func escaping() throws {
        let refusal = try #require(problem("/v1/latest?symbols=%0d%0aX-Evil:%201"))
        #expect(refusal.detail.contains("\\u{d}\\u{a}"))
        #expect(refusal.detail.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }

    @Test("text of every size and kind never traps", arguments: 0..<64)
    func anyBytes(seed: UInt64) {
        var random = SplitMix(state: seed)
        let alphabet = Array("%&=?/,+;.-_ 0159aAfFzZ".utf8)
        for _ in 0..<200 {
            let count = Int(random.next() % 40)
            let text = (0..<count).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
            _ = parse("/v1/latest?symbols=" + String(decoding: text, as: UTF8.self))
            _ = parse("/" + String(decoding: text, as: UTF8.self))
            _ = parse("/v1/convert/USD/EUR/" + String(decoding: text, as: UTF8.self))
        }
    }
}

/// A small generator with a seed, so that a failing text comes again.
private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
