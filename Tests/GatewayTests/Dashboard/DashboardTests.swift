import CacheLayer
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import FXGateway

@Suite("The dashboard's page", .timeLimit(.minutes(3)))
struct DashboardTests {
    @Test("each header of / is what it should be")
    func headers() async throws {
        try await GatewayRig.run { rig in
            let answer = try rig.ask("/")
            #expect(answer.status == 200)
            #expect(answer.field("content-type") == "text/html; charset=utf-8")
            #expect(answer.field("cache-control") == "private, no-cache")
            #expect(answer.field("x-content-type-options") == "nosniff")
            #expect(answer.field("referrer-policy") == "no-referrer")
            #expect(answer.field("cross-origin-resource-policy") == "same-origin")
            #expect(answer.field("x-frame-options") == "DENY")
            #expect(answer.field("etag")?.wholeMatch(of: /"[0-9a-f]{32}"/) != nil)
            for name in [
                "set-cookie", "server", "last-modified", "cache-status", "access-control-allow-origin",
            ] {
                #expect(answer.field(name) == nil, "\(name)")
            }
        }
    }

    @Test("its policy lets in nothing but itself: digests of the very style and script, no address")
    func policy() async throws {
        try await GatewayRig.run { rig in
            let answer = try rig.ask("/")
            let policy = try #require(answer.field("content-security-policy"))
            let directives = policy.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(
                Set(directives) == [
                    "default-src 'none'", "script-src '\(try Self.digest(of: "script", in: answer.text))'",
                    "style-src '\(try Self.digest(of: "style", in: answer.text))'", "img-src data:",
                    "connect-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
                    "require-trusted-types-for 'script'", "trusted-types 'none'",
                ])
        }
    }

    /// As a policy names what stands between the tags of the only element of a name.
    private static func digest(of name: String, in page: String) throws -> String {
        let parts = page.components(separatedBy: "<\(name)")
        try #require(parts.count == 2, "one \(name)")
        let begin = try #require(parts[1].firstIndex(of: ">"))
        let end = try #require(parts[1].range(of: "</\(name)>"))
        let text = parts[1][parts[1].index(after: begin)..<end.lowerBound]
        return "sha256-" + Data(ContentDigest(of: Array(text.utf8)).bytes).base64EncodedString()
    }

    @Test("a client that has it gets 304, until the facts are others")
    func revalidation() async throws {
        try await GatewayRig.run { rig in
            rig.plainFacts.withLock { $0 = Self.facts(resource: "latest:EUR") }
            let etag = try #require(try rig.ask("/").field("etag"))
            rig.time.advance(by: .seconds(30))
            let known = try rig.ask("/", fields: ["If-None-Match: \(etag)"])
            #expect(known.status == 304)
            #expect(known.body.isEmpty)
            #expect(known.field("etag") == etag)
            #expect(known.field("cache-control") == "private, no-cache")
            #expect(known.field("content-security-policy") != nil)
            rig.plainFacts.withLock { $0 = Self.facts(resource: "latest:USD") }
            let news = try rig.ask("/", fields: ["If-None-Match: \(etag)"])
            #expect(news.status == 200)
            #expect(news.field("etag") != etag)
        }
    }

    @Test("HEAD has the head alone, other methods 405, and no other path is it")
    func methods() async throws {
        try await GatewayRig.run { rig in
            let client = try rig.client()
            try client.send(GatewayRig.request("/", method: "HEAD"))
            let head = try #require(try client.answers(1, toHEAD: true).answers.first)
            #expect(head.status == 200)
            #expect(head.field("content-length") == String(try rig.ask("/").body.count))
            let post = try rig.ask("/", method: "POST")
            #expect(post.status == 405)
            #expect(post.field("allow") == "GET, HEAD, OPTIONS")
            #expect(try rig.ask("/?x=1").status == 200)
            for path in ["/index.html", "//", "/dashboard"] {
                #expect(try rig.ask(path).status == 404, "\(path)")
            }
        }
    }

    @Test("what comes from outside is text in the plain form, never markup")
    func escaping() async throws {
        let hostile = #"</noscript><script>alert("1")</script>&'"# + "\r\n\u{0}é"
        try await GatewayRig.run { rig in
            rig.plainFacts.withLock {
                $0 = PlainFacts(
                    fleet: hostile, version: hostile, isSimulated: true, degraded: [hostile],
                    resources: [
                        .init(
                            resource: hostile, state: hostile, source: hostile, dataTime: hostile,
                            fetchedAt: hostile, freshUntil: hostile, nextRefresh: hostile)
                    ], quota: .init(month: hostile, used: 5, limit: 3), pauses: [hostile],
                    store: hostile)
            }
            let page = try rig.ask("/").text
            let shown = "&lt;/noscript&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;   é"
            #expect(page.components(separatedBy: shown).count == 14)
            #expect(!page.contains("alert(\""))
            #expect(page.components(separatedBy: "</noscript>").count == 2)
            #expect(page.contains("5 of 3 used") && page.contains("0 left"))
        }
    }

    @Test("with a clients file the page is for everybody, and says nothing that needs a token")
    func guarded() async throws {
        try await GatewayRig.run(clients: [SampleClients.entry("billing", "t-TEST-1")]) { rig in
            rig.plainFacts.withLock { $0 = Self.facts(resource: "latest:EUR") }
            let open = try rig.ask("/")
            #expect(open.status == 200)
            #expect(open.text.contains(#"data-token="needed""#))
            for part in ["latest:EUR", "the-fleet", "billing", "the-store"] {
                #expect(!open.text.contains(part), "\(part)")
            }
            // Also for whoever has one: the page is the same for all.
            let known = try rig.ask("/", fields: ["Authorization: Bearer t-TEST-1"])
            #expect(known.text == open.text)
            #expect(try rig.ask("/v1/events").status == 401)
            #expect(try rig.ask("/v1/events", fields: ["Authorization: Bearer t-TEST-1"]).status == 200)
        }
    }

    @Test("it asks nobody else for anything, has no handler in its markup and never makes markup of text")
    func selfContained() async throws {
        try await GatewayRig.run { rig in
            let page = try rig.ask("/").text
            for match in page.matches(of: #/(?:src|href|action|srcset|poster)\s*=\s*"([^"]*)"/#) {
                let target = String(match.output.1)
                #expect(
                    target.hasPrefix("data:") || target.hasPrefix("#")
                        || ["/openapi.json", "/metrics"].contains(target), "\(target)")
            }
            #expect(page.firstMatch(of: #/<[^>]+\son[a-z]+\s*=/#) == nil)
            #expect(page.firstMatch(of: #/<[^>]+\sstyle\s*=/#) == nil)
            for word in [
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(",
                "@import",
                "url(", "localStorage.setItem", "document.cookie", "{{",
            ] {
                #expect(!page.contains(word), "\(word)")
            }
        }
    }

    /// The page without what is filled in, as it goes out: there is no gzip here.
    private static let weightLimit = 80_000

    @Test("it weighs less than the stated limit")
    func weight() throws {
        let length = DashboardDocument.shipped.length
        print("dashboard: \(length) bytes")
        #expect(length < Self.weightLimit)
        #expect(try ProjectFiles.text("docs/performance.md").contains("80,000 bytes"))
    }

    private static func facts(resource: String) -> PlainFacts {
        PlainFacts(
            fleet: "the-fleet", version: "1", isSimulated: false, degraded: [],
            resources: [
                .init(
                    resource: resource, state: "fresh (idle)", source: "live", dataTime: "", fetchedAt: "",
                    freshUntil: "", nextRefresh: "")
            ], quota: nil, pauses: [], store: "the-store")
    }
}
