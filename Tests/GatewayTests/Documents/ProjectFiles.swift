import Foundation

/// The files that are shipped beside the sources, read from where the tests were built.
enum ProjectFiles {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A file's text, by its path from the project's root.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The paths of the plain files directly in a folder, sorted.
    static func files(in folder: String) throws -> [String] {
        let url = root.appendingPathComponent(folder)
        return try FileManager.default.contentsOfDirectory(atPath: url.path)
            .filter { name in
                var isFolder: ObjCBool = false
                let path = url.appendingPathComponent(name).path
                return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                    && !isFolder.boolValue && !name.hasPrefix(".")
            }
            .map { "\(folder)/\($0)" }.sorted()
    }

    /// The paths of all pages that an operator or a client reads.
    static func pages() throws -> [String] {
        ["README.md"] + (try files(in: "docs").filter { $0.hasSuffix(".md") })
    }

    /// The lines of a page from a heading to the next one of the same depth or less.
    static func section(_ heading: String, of page: String) throws -> [Substring] {
        let depth = heading.prefix { $0 == "#" }.count
        let lines = try text(page).split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0 == heading }) else { return [] }
        let rest = lines[(start + 1)...]
        let end = rest.firstIndex { line in
            let hashes = line.prefix { $0 == "#" }.count
            return hashes > 0 && hashes <= depth && line.dropFirst(hashes).first == " "
        }
        return Array(rest[..<(end ?? rest.endIndex)])
    }

    /// The cells of the tables in a section, header and ruler left out, without the marks of code.
    static func rows(_ heading: String, of page: String) throws -> [[String]] {
        let cells = try section(heading, of: page).filter { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|").map { $0.filter { $0 != "`" }.trimmingCharacters(in: .whitespaces) }
        }
        guard let ruler = cells.firstIndex(where: { $0.first?.hasPrefix("---") ?? false }) else { return [] }
        return Array(cells[(ruler + 1)...])
    }
}

extension ProjectFiles {
    /// Puts lines in the place of the one table in a section.
    static func replaceTable(under heading: String, of page: String, with table: [String]) throws {
        let section = try section(heading, of: page)
        let (first, last) = (
            section.firstIndex { $0.hasPrefix("|") } ?? section.endIndex,
            section.lastIndex { $0.hasPrefix("|") } ?? section.endIndex - 1
        )
        let lines = section[..<first].map(String.init) + table + section[(last + 1)...].map(String.init)
        let all = try text(page).replacing(
            section.joined(separator: "\n"), with: lines.joined(separator: "\n"))
        try all.write(to: root.appendingPathComponent(page), atomically: true, encoding: .utf8)
    }
}
