import CacheLayer
import Foundation
import Testing

@testable import FXGateway

@Suite("What the documents say")
struct DocumentTests {
    @Test("the README's table of configuration is the program's, name by name and in its order")
    func configurationNames() throws {
        let names = try ProjectFiles.rows("## Configuration", of: "README.md").map { $0[0] }
        #expect(names == ConfigurationName.allCases.map(\.rawValue))
    }

    @Test("the README's defaults are the program's")
    func configurationDefaults() throws {
        let configuration = try Configuration(environment: [:], cores: 3, readFile: { _ in nil })
        let pairs = configuration.lines.map { line in
            let parts = line.split(separator: "=", maxSplits: 1)
            return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
        }
        let defaults = Dictionary(uniqueKeysWithValues: pairs)
        for row in try ProjectFiles.rows("## Configuration", of: "README.md") {
            switch row[0] {
            case "FXGW_THREADS":
                #expect(row[1] == "cores")
                #expect(defaults[row[0]] == "3")
            case "FXGW_MAX_CONNECTIONS":
                #expect(defaults[row[0]] == nil)
            default: #expect(row[1] == defaults[row[0]] ?? "none", "\(row[0])")
            }
        }
    }

    @Test("C158: the version of hiredis that this was built with is one of those on the page")
    func hiredis() throws {
        let versions = try ProjectFiles.rows("## Versions of hiredis", of: "docs/redis.md").map { $0[0] }
        #expect(versions.count >= 2)
        #expect(versions.contains(RedisLibrary.version))
    }

    @Test("no page, script or shipped file names a variable that the program doesn't know")
    func variables() throws {
        let known = Set(ConfigurationName.allCases.map(\.rawValue))
        let paths =
            try ProjectFiles.pages() + ProjectFiles.files(in: "scripts")
            + ["docs/openapi.json", "Dockerfile", "docker-compose.yml", "CHANGELOG.md", "CONTRIBUTING.md"]
        for path in paths {
            for match in try ProjectFiles.text(path).matches(of: #/\bFXGW_[A-Z_]*[A-Z]\b/#) {
                // FXGW_TEST_… speak to the tests, not to the program.
                let isForTests = match.output.hasPrefix("FXGW_TEST_")
                #expect(isForTests || known.contains(String(match.output)), "\(path): \(match.output)")
            }
        }
    }

    @Test("the README's endpoints are the program's routes, all of them, with their methods")
    func endpoints() throws {
        var found: Set<RouteName> = []
        for row in try ProjectFiles.rows("## Endpoints", of: "README.md") {
            let path = EndpointPath.filled(row[1])
            let route = try path.withCString { text in
                try RoutePath(UnsafeRawBufferPointer(start: text, count: path.utf8.count)).name
            }
            #expect("\(route.allow)".hasPrefix(row[0]), "\(row[0]) \(row[1])")
            found.insert(route)
        }
        #expect(found == Set(RouteName.allCases).subtracting([.none]))
    }

    @Test("the HTTP page names every parameter of every route")
    func parameters() throws {
        let text = try ProjectFiles.section("## Routes", of: "docs/http-api.md").joined(separator: "\n")
        for parameter in QueryParameter.allCases {
            #expect(text.contains("`\(parameter.rawValue)"), "\(parameter.rawValue)")
        }
    }

    @Test("the HTTP page names every kind of problem with its status and code")
    func problems() throws {
        let rows = try ProjectFiles.rows("## Errors", of: "docs/http-api.md")
        let named = Set(rows.map { "\($0[0]) \($0[1]) \($0[2])" })
        for kind in ProblemKind.allCases {
            let line = "\(kind.status) \(kind.slug) \(kind.code)"
            #expect(named.contains(line), "\(line)")
        }
        #expect(named.count == ProblemKind.allCases.count)
    }

    @Test("every suite that the page on reliability names is there")
    func suites() throws {
        let folder = ProjectFiles.root.appendingPathComponent("Tests")
        let walk = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var names: Set<String> = []
        for case let file as URL in walk where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            names.formUnion(text.matches(of: #/@Suite\(\s*"([^"]+)"/#).map { String($0.output.1) })
        }
        let sections = [
            "## Redis", "## The holder of the lease", "## Upstream", "## Traffic, process, calendar",
        ]
        for section in sections {
            let rows = try ProjectFiles.rows(section, of: "docs/reliability.md")
            #expect(!rows.isEmpty, "\(section)")
            for row in rows {
                let named = row[2].matches(of: #/\*([^*]+)\*/#)
                #expect(!named.isEmpty, "\(row[0])")
                for suite in named { #expect(names.contains(String(suite.output.1)), "\(suite.output.1)") }
            }
        }
    }

    @Test("the example of a clients file is one that is taken, with every member that there is")
    func clientsFile() throws {
        let page = try ProjectFiles.text("docs/clients.md")
        let example = try #require(page.firstMatch(of: #/```json\n([\s\S]*?)```/#)).output.1
        let entries = try ClientsFile.parse(Array(example.utf8))
        #expect(entries.map(\.name) == ["reports", "shop"])
        #expect(entries.last?.allowance == Allowance(perMinute: 600))
        let rows = try ProjectFiles.rows("## The file", of: "docs/clients.md")
        let named = rows.flatMap { $0[0].split(separator: ", ").map(String.init) }
        let inExample = Set(example.matches(of: #/"([a-z0-9_]+)":/#).map { String($0.output.1) })
        #expect(inExample == Set(named + ["clients"]))
    }

    @Test("links between the pages lead somewhere")
    func links() throws {
        for page in try ProjectFiles.pages() + ["CHANGELOG.md", "CONTRIBUTING.md"] {
            let folder = ProjectFiles.root.appendingPathComponent(page).deletingLastPathComponent()
            for match in try ProjectFiles.text(page).matches(of: #/\]\(([^)#]+)[^)]*\)/#) {
                let target = String(match.output.1)
                guard !target.hasPrefix("http") else { continue }
                let path = folder.appendingPathComponent(target).path
                #expect(FileManager.default.fileExists(atPath: path), "\(page): \(target)")
            }
        }
    }
}

/// The paths of the README's table with values in the place of their parts.
enum EndpointPath {
    static func filled(_ path: String) -> String {
        let values: KeyValuePairs = [
            "{base}": "EUR", "{quote}": "USD", "{from}": "EUR", "{to}": "USD", "{amount}": "12.50",
            "quarantine/{id}": "quarantine/USD-EUR", "{id}": "01J0F3ZK7Q-7f3a9c2e", "{date}": "2026-06-10",
        ]
        return values.reduce(path) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
    }
}
