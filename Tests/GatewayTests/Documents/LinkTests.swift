import Foundation
import Testing

@Suite("Links of the documents")
struct LinkTests {
    private struct Link {
        let page: String
        let target: String
    }

    private static func pages() throws -> [String] {
        try ProjectFiles.pages() + ["CHANGELOG.md", "CONTRIBUTING.md"]
    }

    /// A page without its blocks of code.
    private static func prose(_ page: String) throws -> [Substring] {
        var isCode = false
        return try ProjectFiles.text(page).split(separator: "\n", omittingEmptySubsequences: false).filter {
            line in
            let isFence = line.drop { $0 == " " }.hasPrefix("```")
            if isFence { isCode.toggle() }
            return !isCode && !isFence
        }
    }

    /// All links and pictures of a page that lead into the project.
    private static func links(_ page: String) throws -> [Link] {
        try prose(page).flatMap { line in
            line.matches(of: /\]\(([^()\s]+)\)/).map { String($0.output.1) }
        }.filter { !$0.contains("://") && !$0.hasPrefix("mailto:") }.map { Link(page: page, target: $0) }
    }

    /// What a heading is reached by: lower case, blanks as hyphens, all but letters, digits, hyphens and low lines left out.
    private static func anchors(_ page: String) throws -> Set<String> {
        var seen: [String: Int] = [:]
        var anchors: Set<String> = []
        for line in try prose(page) {
            guard let heading = line.wholeMatch(of: /#{1,6} +(.*)/)?.output.1 else { continue }
            let kept = heading.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
            let anchor = kept.replacingOccurrences(of: " ", with: "-")
            let count = seen[anchor, default: 0]
            seen[anchor] = count + 1
            anchors.insert(count == 0 ? anchor : "\(anchor)-\(count)")
        }
        return anchors
    }

    @Test("each leads to a file that is there, and to a heading of it")
    func links() throws {
        var count = 0
        for link in try Self.pages().flatMap(Self.links) {
            count += 1
            let parts = link.target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let folder = URL(fileURLWithPath: "/\(link.page)").deletingLastPathComponent()
            let path =
                parts[0].isEmpty
                ? link.page : String(folder.appending(path: String(parts[0])).standardized.path.dropFirst())
            let isThere = FileManager.default.fileExists(atPath: ProjectFiles.root.appending(path: path).path)
            #expect(isThere, "\(link.page): \(link.target)")
            if parts.count == 2, isThere {
                let isHeading = try Self.anchors(path).contains(String(parts[1]))
                #expect(isHeading, "\(link.page): \(link.target) has no such heading")
            }
        }
        #expect(count > 60)
    }

    @Test("each page of docs/ is linked from another one, and each picture is shown")
    func isReached() throws {
        var reached: Set<String> = []
        for link in try Self.pages().flatMap(Self.links) {
            let folder = URL(fileURLWithPath: "/\(link.page)").deletingLastPathComponent()
            let target = link.target.split(separator: "#").first.map(String.init) ?? ""
            let path = String(folder.appending(path: target).standardized.path.dropFirst())
            if path != link.page { reached.insert(path) }
        }
        let pages = try ProjectFiles.files(in: "docs").filter { $0.hasSuffix(".md") }
        let pictures = try ProjectFiles.files(in: "docs/diagrams").filter { $0.hasSuffix(".svg") }
        #expect(pages.count > 10 && pictures.count >= 5)
        for path in pages + pictures { #expect(reached.contains(path), "\(path)") }
    }

    @Test("each picture was drawn from its text as it is")
    func pictures() async throws {
        let check = try await ShellCommand.run("scripts/diagrams --check")
        #expect(check.status == 0, "\(check.text)")
    }
}
