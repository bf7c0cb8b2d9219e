import CacheLayer
import Foundation
import TestSupport
import Testing

@testable import FXGateway

@Suite("Header fields by state", .timeLimit(.minutes(4)))
struct HeaderTableTests {
    /// Set, the page's table is written anew instead of compared; what has changed is to be looked at then.
    private static let isWriting = ProcessInfo.processInfo.environment["FXGW_TEST_WRITE_TABLES"] != nil

    /// The answer of every row, asked for once.
    private static let answers = Task {
        var answers: [(row: HeaderRow, answer: RawHTTPClient.Answer)] = []
        for row in HeaderRow.rates + HeaderRow.refusals { answers.append((row, try await row.answer())) }
        return answers
    }

    @Test("every state gives the fields that the page's table has, and no others")
    func table() async throws {
        let rows = try await Self.answers.value.map { Self.cells($0.row.name, $0.answer) }
        let lines =
            [Self.line(Self.columns), Self.line(Self.columns.map { _ in "---" })] + rows.map(Self.line)
        let (page, heading) = ("docs/http-api.md", "### Header fields by state")
        if Self.isWriting { try ProjectFiles.replaceTable(under: heading, of: page, with: lines) }
        let shown = try ProjectFiles.section(heading, of: page).filter { $0.hasPrefix("|") }.map(String.init)
        for (line, expected) in zip(shown, lines) { #expect(line == expected) }
        #expect(
            shown.count == lines.count,
            "FXGW_TEST_WRITE_TABLES=1 writes the table:\n\(lines.joined(separator: "\n"))")
    }

    @Test("every answer has what all have, none has what would mislead a cache or a client")
    func always() async throws {
        for (row, answer) in try await Self.answers.value {
            let names = answer.fields.map(\.name)
            #expect(Set(names).count == names.count, "\(row.name): \(names)")
            for name in ["date", "x-request-id"] {
                #expect(answer.field(name) != nil, "\(row.name): \(name)")
            }
            #expect(answer.field("x-content-type-options") == "nosniff", "\(row.name)")
            for name in names {
                #expect(
                    !Self.forbidden.contains(name) && !name.hasPrefix("x-ratelimit"), "\(row.name): \(name)")
            }
            let reuse = answer.field("cache-control") ?? ""
            for word in ["must-revalidate", "proxy-revalidate", "s-maxage", "no-transform"] {
                #expect(!reuse.contains(word), "\(row.name): \(reuse)")
            }
            let hasBody = answer.status != 304 && answer.status != 204
            #expect((answer.field("content-type") != nil) == hasBody, "\(row.name)")
            #expect((answer.field("content-length") != nil) == hasBody, "\(row.name)")
            if answer.status >= 400, !row.name.contains("readyz") {
                #expect(answer.field("content-type") == "application/problem+json", "\(row.name)")
            }
        }
    }

    @Test(
        "C096: no cache takes an answer for fresher than it is: errors aren't stored, stale is over, fresh ends in time"
    )
    func lifetimes() async throws {
        var seen: Set<Int> = []
        for (row, answer) in try await Self.answers.value {
            seen.insert(answer.status)
            let reuse = answer.field("cache-control") ?? ""
            guard let maximum = reuse.firstMatch(of: /max-age=(\d+)/).flatMap({ Int($0.output.1) }) else {
                #expect(["no-store", "private, no-cache", ""].contains(reuse), "\(row.name): \(reuse)")
                #expect(answer.status < 400 || reuse == "no-store", "\(row.name)")
                continue
            }
            #expect(answer.status < 400, "\(row.name)")
            guard let age = answer.field("age").flatMap({ Int($0) }) else {
                #expect(reuse.contains("immutable"), "\(row.name)")
                continue
            }
            let status = answer.field("cache-status") ?? ""
            let left = try #require(status.firstMatch(of: /ttl=(-?\d+)/).flatMap { Int($0.output.1) })
            #expect(maximum - age == left, "\(row.name): what a cache takes for its rest isn't ours")
            #expect((answer.field("fx-state") == "fresh") == (left > 0), "\(row.name): \(left)")
        }
        #expect(seen.isSuperset(of: [200, 304, 400, 404, 429, 503]))
    }

    // MARK: - The table

    private static let columns = [
        "answer", "status", "`Cache-Control`", "`Age`", "`Cache-Status`", "`Fx-State`", "further fields",
    ]
    /// Fields that no answer may have.
    private static let forbidden: Set = [
        "server", "warning", "expires", "pragma", "vary", "x-powered-by", "via",
    ]
    /// Fields that are not in the table's last column: they have a column, or are in every answer.
    private static let common: Set = [
        "cache-control", "age", "cache-status", "fx-state", "date", "x-request-id", "x-content-type-options",
        "content-type", "content-length",
    ]
    /// Those whose values are always the same in a state, and worth a look.
    private static let telling: Set = [
        "allow", "connection", "retry-after", "www-authenticate", "ratelimit", "ratelimit-policy",
        "fx-source",
    ]

    private static func cells(_ name: String, _ answer: RawHTTPClient.Answer) -> [String] {
        let kind = answer.text.firstMatch(of: #/urn:fxgateway:problem:([a-z-]+)/#).map { " `\($0.output.1)`" }
        let further = answer.fields.filter { !common.contains($0.name) }.map { field in
            telling.contains(field.name) ? "`\(shown(field.name)): \(field.value)`" : "`\(shown(field.name))`"
        }
        func cell(_ name: String) -> String { answer.field(name).map { "`\($0)`" } ?? "" }
        return [
            name, "\(answer.status)\(kind ?? "")", cell("cache-control"), cell("age"),
            cell("cache-status").replacing("fxgateway; ", with: ""), cell("fx-state"),
            further.joined(separator: ", "),
        ]
    }

    /// A field's name as it is usually written.
    private static func shown(_ name: String) -> String {
        switch name {
        case "etag": "ETag"
        case "www-authenticate": "WWW-Authenticate"
        case "ratelimit": "RateLimit"
        case "ratelimit-policy": "RateLimit-Policy"
        default:
            name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(
                separator: "-")
        }
    }

    private static func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
}
