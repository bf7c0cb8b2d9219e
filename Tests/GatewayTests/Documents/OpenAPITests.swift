import Foundation
import TestSupport
import Testing

@testable import FXGateway

@Suite("The OpenAPI document")
struct OpenAPITests {
    @Test("has every route with exactly its methods, and no other")
    func routes() throws {
        var found: Set<RouteName> = []
        for (path, operations) in try OpenAPIText().paths {
            let route = try OpenAPIText.route(path)
            found.insert(route)
            let allowed = "\(route.allow)".lowercased().split(separator: ", ").map(String.init)
            #expect(Set(operations.keys) == Set(allowed), "\(path)")
        }
        #expect(found == Set(RouteName.allCases).subtracting([.none]))
    }

    @Test("has every query parameter of every route, and no other")
    func parameters() throws {
        let text = try OpenAPIText()
        var found: [RouteName: Set<String>] = [:]
        for (path, operations) in text.paths {
            let route = try OpenAPIText.route(path)
            for (method, operation) in operations where method != "options" {
                let names = try text.parameters(operation, in: "query")
                let known = Set(route.parameters.map(\.rawValue))
                #expect(names.isSubset(of: known), "\(method) \(path)")
                // What the path has as a part, the query has only to repeat.
                let parts = try text.parameters(operation, in: "path")
                #expect(known.subtracting(names).subtracting(parts).isEmpty, "\(method) \(path)")
                found[route, default: []].formUnion(names)
                let placeholders = path.matches(of: #/\{([a-z]+)\}/#).map { String($0.output.1) }
                #expect(parts == Set(placeholders), "\(method) \(path)")
            }
        }
        for route in RouteName.allCases where route != .none {
            #expect(found[route] == Set(route.parameters.map(\.rawValue)), "\(route)")
        }
    }

    @Test("asks for a token where the program does")
    func security() throws {
        let text = try OpenAPIText()
        let schemes = try text.components("securitySchemes")
        for (path, operations) in text.paths {
            let route = try OpenAPIText.route(path)
            for (method, operation) in operations {
                let names = (operation["security"] as? [[String: Any]] ?? []).flatMap(\.keys)
                #expect(names.allSatisfy { schemes[$0] != nil })
                let expected: Set<String> =
                    if method == "options" {
                        []
                    } else if path.hasPrefix("/admin/") {
                        ["adminToken"]
                    } else {
                        route.isForClients ? ["clientToken", "clientKey"] : []
                    }
                #expect(Set(names) == expected, "\(method) \(path)")
            }
        }
    }

    @Test(
        "has every kind of problem with its title, status and code, and answers only with those of their status"
    )
    func problems() throws {
        let text = try OpenAPIText()
        let schemas = try text.components("schemas")
        for kind in ProblemKind.allCases {
            let schema = try #require(schemas["Problem-\(kind.slug)"], "\(kind.slug)")
            let members = try #require(schema["properties"] as? [String: [String: Any]])
            #expect(members["type"]?["const"] as? String == "urn:fxgateway:problem:\(kind.slug)")
            #expect(members["title"]?["const"] as? String == "\(kind.title)")
            #expect(members["status"]?["const"] as? Int == kind.status)
            #expect(members["code"]?["const"] as? String == "\(kind.code)")
            #expect((schema["required"] as? [String])?.count == members.count)
            #expect(schema["additionalProperties"] as? Bool == false)
        }
        let slugs = Set(ProblemKind.allCases.map { "Problem-\($0.slug)" })
        #expect(Set(schemas.keys.filter { $0.hasPrefix("Problem-") }) == slugs)
        var answered: Set<String> = []
        for (path, operations) in text.paths {
            for (method, operation) in operations {
                let responses = try #require(operation["responses"] as? [String: [String: Any]])
                for (status, response) in responses {
                    for name in try Self.kinds(of: text.followed(response)) {
                        answered.insert(name)
                        let kind = try #require(ProblemKind.allCases.first { "Problem-\($0.slug)" == name })
                        #expect(String(kind.status) == status, "\(method) \(path) \(status): \(name)")
                    }
                }
            }
        }
        // Those of no operation: of methods and paths that there aren't.
        #expect(slugs.subtracting(answered) == ["Problem-method-not-allowed"])
    }

    /// The problems that a response may be, by the names of their schemas.
    private static func kinds(of response: [String: Any]) throws -> [String] {
        let content = response["content"] as? [String: [String: Any]] ?? [:]
        guard let schema = content["application/problem+json"]?["schema"] as? [String: Any] else { return [] }
        let options = schema["oneOf"] as? [[String: Any]] ?? [schema]
        return options.compactMap { ($0["$ref"] as? String)?.split(separator: "/").last.map(String.init) }
    }

    @Test("names the limits that the program has")
    func limits() throws {
        let parameters = try OpenAPIText().components("parameters")
        func pattern(_ name: String) throws -> Regex<AnyRegexOutput> {
            let schema = try #require(parameters[name]?["schema"] as? [String: Any])
            return try Regex(try #require(schema["pattern"] as? String))
        }
        let symbols = try pattern("symbols")
        for count in [1, 200, 201] {
            let text = Array(repeating: "EUR", count: count).joined(separator: ",")
            let isTaken = (try? SymbolList(parsing: Array(text.utf8))) != nil
            #expect((text.wholeMatch(of: symbols) != nil) == isTaken, "\(count)")
        }
        let ages = try pattern("max_data_age")
        for text in [
            "90s", "0ms", "1000000000d", "1000000001s", "4", "s", "-1s", "1.5h", "000000000000000090s",
        ] {
            let isTaken = UnitText.duration(text) != nil
            #expect((text.wholeMatch(of: ages) != nil) == isTaken, "\(text)")
        }
        let sources = try pattern("sources")
        let names = ["live", "live,ecb_daily", "a b", "", "x,", String(repeating: "x", count: 32)]
        for text in names + [
            String(repeating: "x", count: 33), Array(repeating: "x", count: 17).joined(separator: ","),
        ] {
            let list = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            let isTaken = FreshnessWish.sources(named: list) != nil
            #expect((text.wholeMatch(of: sources) != nil) == isTaken, "\(text)")
        }
        let amounts = try #require(
            try OpenAPIText().components("schemas")["AmountText"]?["pattern"] as? String)
        let amount = try Regex(amounts)
        let ones = { String(repeating: "1", count: $0) }
        for text in [
            "0", "007", "12.50", "5.", ".5", "-1", "1e3", "1,5", "", "+1", ones(30), ones(31),
            ones(30) + "." + ones(6),
            ones(30) + "." + ones(7), "0." + ones(36), "0." + ones(37), "0.0" + ones(35), "000" + ones(30),
            "1." + ones(35),
            "1." + ones(36), "0000.0",
        ] {
            let isTaken = (try? WrittenAmount(parsing: text.utf8)) != nil
            #expect((text.wholeMatch(of: amount) != nil) == isTaken, "\(text)")
        }
    }

    @Test("is of this version")
    func version() throws {
        let info = try #require(try OpenAPIText().root["info"] as? [String: Any])
        #expect(info["version"] as? String == GatewayVersion.text)
    }

    @Test(
        "is served from memory, with a tag, to everybody, also where clients need a token",
        arguments: [true, false])
    func served(isGuarded: Bool) async throws {
        let clients = isGuarded ? [SampleClients.entry("reports", SampleClients.token)] : nil
        try await GatewayRig.run(clients: clients) { rig in
            let answer = try rig.ask("/openapi.json?x=1")
            #expect(answer.status == 200)
            #expect(answer.text == (try ProjectFiles.text("docs/openapi.json")))
            #expect(answer.field("content-type") == "application/json")
            #expect(answer.field("cache-control") == "public, max-age=3600")
            let tag = try #require(answer.field("etag"))
            let known = try rig.ask("/openapi.json", fields: ["If-None-Match: \"x\", W/\(tag)"])
            #expect(known.status == 304 && known.body.isEmpty && known.field("etag") == tag)
            #expect(try rig.ask("/openapi.json", fields: ["If-None-Match: \"x\""]).status == 200)
            let head = try rig.ask("/openapi.json", method: "HEAD")
            #expect(head.status == 200 && head.field("content-length") == String(answer.body.count))
            #expect(try rig.ask("/openapi.json", method: "POST").field("allow") == "GET, HEAD, OPTIONS")
            #expect(try rig.ask("/openapi.json/").status == 404)
        }
    }
}
