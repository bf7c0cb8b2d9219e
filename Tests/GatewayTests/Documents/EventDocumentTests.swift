import Foundation
import Testing

@Suite("The table of events")
struct EventDocumentTests {
    /// A line of the log as the sources write it: its level and its text.
    private static func written() throws -> Set<String> {
        let folder = ProjectFiles.root.appending(path: "Sources")
        let walk = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var events: Set<String> = []
        for case let file as URL in walk where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: #/\.log(?:Each)?\(\s*\.(\w+),\s*"([^"]+)"/#) {
                events.insert("\(match.output.1) \(match.output.2)")
            }
            // Texts that are chosen by the reason.
            guard let complaints = text.firstMatch(of: #/var complaint: StaticString \{([\s\S]*?)\n    \}/#)
            else {
                continue
            }
            for match in complaints.output.1.matches(of: #/: "([^"]+)"/#) {
                events.insert("error \(match.output.1)")
            }
        }
        return events
    }

    @Test("on the page on operations has every event that the program can log, and no other")
    func events() throws {
        let rows = try ProjectFiles.rows("### Events", of: "docs/operations.md")
        let told = rows.map { "\($0[0]) \($0[1])" }
        #expect(Set(told).count == told.count)
        let written = try Self.written()
        #expect(written.count > 40)
        #expect(Set(told).subtracting(written) == [])
        #expect(written.subtracting(told) == [])
    }
}
