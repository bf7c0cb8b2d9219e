import CacheLayer

@testable import FXGateway

/// The target of a request: its path, its parameters, and what a POST asks for (behind a byte of 0xFF).
enum QueryTarget {
    /// Room for two quoted values of 64 characters, each of which may take eleven bytes, and the words around them.
    private static let longestDetail = 1_600

    static func run(_ bytes: [UInt8]) {
        let parts = Parts.split(bytes, most: 2)
        if let body = parts.at(1) { order(body) }
        let target = parts[0]
        let result = parse(target)
        switch result {
        case .failure(let problem): claimIsGood(problem)
        case .success(let route):
            claim(Result.success(route) == parse(encoded(target)), "another route when percent-encoded")
            claimIsCanonical(route)
        }
        claimIsSame(result, parse(turned(target)))
    }

    private static func parse(_ target: [UInt8]) -> Result<Route, Problem> {
        let mark = target.firstIndex(of: UInt8(ascii: "?"))
        let query = mark.map { Array(target[($0 + 1)...]) }
        return Array(target[..<(mark ?? target.count)]).withUnsafeBytes { path in
            do throws(Problem) {
                let path = try RoutePath(path)
                guard let query else { return .success(try Route.parse(path, query: nil).route) }
                return query.withUnsafeBytes { query in
                    Result { () throws(Problem) in try Route.parse(path, query: query).route }
                }
            } catch {
                return .failure(error)
            }
        }
    }

    /// The order of parameters means nothing.
    private static func claimIsSame(_ one: Result<Route, Problem>, _ other: Result<Route, Problem>) {
        switch (one, other) {
        case (.success(let route), .success(let turned)): claim(route == turned, "\(route), turned \(turned)")
        case (.failure, .failure): return
        default: fatalError("\(one), with the parameters turned round \(other)")
        }
    }

    /// The same target with its parameters in the opposite order.
    private static func turned(_ target: [UInt8]) -> [UInt8] {
        guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return target }
        let pieces = target[(mark + 1)...].split(
            separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        return Array(target[...mark]) + pieces.reversed().joined(separator: [UInt8(ascii: "&")])
    }

    /// The same target with every letter and digit percent-encoded.
    private static func encoded(_ target: [UInt8]) -> [UInt8] {
        var encoded: [UInt8] = []
        var left = 0
        for byte in target {
            left -= 1
            if byte == UInt8(ascii: "%") { left = 2 }
            let isPlain = (byte >= 48 && byte < 58) || (byte | 32 >= 97 && byte | 32 < 123)
            guard isPlain, left < 0 else {
                encoded.append(byte)
                continue
            }
            let digits = Array(String(byte, radix: 16, uppercase: byte & 1 == 0).utf8)
            encoded += [UInt8(ascii: "%")] + digits
        }
        return encoded
    }

    /// What is asked for, written plainly, asks for the same.
    private static func claimIsCanonical(_ route: Route) {
        guard case .selection(let selection) = route, let text = text(of: selection) else { return }
        let again = parse(Array(text.utf8))
        claim(again == .success(route), "\(selection) as \(text) asks for \(again)")
    }

    private static func text(of selection: Selection) -> String? {
        switch selection {
        case .latest(let base, let symbols, let numbers):
            "/v1/latest/\(base)?\(options(symbols, numbers))"
        case .rate(let base, let quote, let numbers):
            "/v1/rate/\(base)-\(quote)?\(options(nil, numbers))"
        case .day(let date, let base, let symbols, let numbers):
            "/v1/\(date.text)?base=\(base)&\(options(symbols, numbers))"
        case .convert(let from, let to, let amount, let choice):
            "/v1/convert/\(from)/\(to)/\(amount.text)?rounding=\(choice.rounding.rawValue)"
                + (choice.date.map { "&date=\($0.text)" } ?? "") + "&\(options(nil, choice.numbers))"
        case .range(let range):
            "/v1/range?base=\(range.base)&start_date=\(range.start.text)&end_date=\(range.end.text)&format=\(range.format)"
                + (range.after.map { "&cursor=\(RangeCursor.text(after: $0, of: range))" } ?? "")
                + "&\(options(range.symbols, range.numbers))"
        }
    }

    private static func options(_ symbols: SymbolList?, _ numbers: NumberForm) -> String {
        "numbers=\(numbers)"
            + (symbols.map { "&symbols=\($0.codes.map(\.code).joined(separator: ","))" } ?? "")
    }

    /// The body of a batch of conversions.
    private static func order(_ body: [UInt8]) {
        do throws(Problem) {
            let order = try ConversionOrder(parsing: body)
            claim((1...100).contains(order.pairs.count), "a batch of \(order.pairs.count)")
            for pair in order.pairs {
                // Every amount that comes as a number stands in the body to the digit.
                let text = pair.amount.text
                claim(text == (try? Amount(parsing: text))?.description, "\(text) isn't plain")
            }
        } catch {
            claimIsGood(error)
        }
    }

    private static func claimIsGood(_ problem: Problem) {
        claimIsFit(problem.detail, atMost: longestDetail)
        claim((400..<500).contains(problem.kind.status), "\(problem) blames the gateway")
        claim((try? JSONTree.parse(problem.body)) != nil, "the body of \(problem) is no JSON")
    }
}
