import Foundation

/// The titles of all tests by the title of their suite, read from the tests' sources.
struct TestTitles {
    private(set) var titles: [String: Set<String>] = [:]
    /// Suites by the name of their type, for extensions in other files.
    private var suites: [Substring: String] = [:]

    /// Reads every file under `Tests`.
    init() throws {
        let folder = ProjectFiles.root.appendingPathComponent("Tests")
        let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var texts: [String] = []
        while let file = walk?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            texts.append(try String(contentsOf: file, encoding: .utf8))
        }
        // Twice: an extension may be read before its type.
        for _ in 0..<2 { for text in texts { read(text) } }
    }

    /// Whether a suite has a test of this title; marks of code in it don't count.
    func contains(_ title: some StringProtocol, in suite: some StringProtocol) -> Bool {
        titles[String(suite)]?.contains(Self.plain(title)) ?? false
    }

    private mutating func read(_ text: String) {
        var suite: String?
        var isSuite: Bool?
        for line in text.split(separator: "\n") {
            let words = line.drop { $0 == " " }
            if words.hasPrefix("@Suite(") { isSuite = true }
            if words.hasPrefix("@Test(") { isSuite = false }
            if let kind = isSuite, let title = Self.literal(in: words) {
                isSuite = nil
                if kind { suite = title } else { titles[suite ?? "", default: []].insert(title) }
            }
            let parts = words.split(separator: " ")
            guard let index = parts.firstIndex(where: { ["struct", "enum", "extension"].contains($0) }),
                index + 1 < parts.count
            else { continue }
            let type = parts[index + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            if parts[index] == "extension" {
                suite = suites[type] ?? suite
            } else if let suite, index == 0 || parts[0].hasPrefix("@Suite(") {
                if suites[type] == nil { suites[type] = suite }
            }
        }
    }

    /// The first string literal of a line, without the marks of code.
    private static func literal(in line: Substring) -> String? {
        guard let start = line.firstIndex(of: "\"") else { return nil }
        var text = ""
        var isEscaped = false
        for character in line[line.index(after: start)...] {
            if isEscaped {
                text.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                return plain(text)
            } else {
                text.append(character)
            }
        }
        return nil
    }

    private static func plain(_ text: some StringProtocol) -> String { String(text.filter { $0 != "`" }) }
}
