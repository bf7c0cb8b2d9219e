import Foundation

/// A table of a page, as the tests that make it compare it.
enum DocumentedTable {
    /// The lines of the first table under a heading of a page in `docs`.
    static func lines(under heading: String, of page: String) throws -> [String] {
        let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs")
        let text = try String(contentsOf: docs.appendingPathComponent(page), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0 == heading }) else { return [] }
        return lines[start...].drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }.map(String.init)
    }
}
