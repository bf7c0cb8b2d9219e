import Testing

/// The tables of faults and threats against the tests that they name.
@Suite("What proves the page on reliability and the threat model")
struct ProofDocumentTests {
    /// Every fault that is to be survived; the page may not lose one.
    private static let faults =
        (1...20).map { "R\($0)" } + [1, 2, 3, 4, 7, 8, 9, 10].map { "L\($0)" } + (1...16).map { "U\($0)" }
        + (1...10).map { "T\($0)" } + (1...5).map { "C\($0)" }

    /// A test as a cell names it: `*Suite*: title`.
    private struct Named {
        let suite: Substring
        let title: Substring

        init?(_ text: Substring) {
            guard let match = text.wholeMatch(of: #/\s*\*([^*]+)\*: (.+?)\s*/#) else { return nil }
            (suite, title) = (match.output.1, match.output.2)
        }

        /// Whether the title has this word, with nothing but signs and blanks around it.
        func bears(_ id: String) -> Bool {
            title.split { !($0.isLetter || $0.isNumber) }.contains { $0 == id }
        }
    }

    /// The tests that a cell names, each of which has to be there.
    private static func tests(_ cell: String, _ titles: TestTitles, of row: String) -> [Named] {
        cell.split(separator: "<br>").compactMap { text in
            guard let named = Named(text) else {
                Issue.record("\(row): '\(text)' names no suite and test")
                return nil
            }
            #expect(titles.contains(named.title, in: named.suite), "\(row): there is no test '\(text)'")
            return named
        }
    }

    @Test("every fault has its line, with what is asserted, and tests that are there and bear its id")
    func faults() throws {
        let titles = try TestTitles()
        let rows = try ProjectFiles.rows("## Every fault and its tests", of: "docs/reliability.md")
            .filter { $0.count == 4 && !$0[0].hasPrefix("---") && $0[0] != "id" }
        #expect(rows.map { $0[0] } == Self.faults)
        for row in rows {
            let named = Self.tests(row[2], titles, of: row[0])
            #expect(!named.isEmpty, "\(row[0]) has no test")
            for test in named { #expect(test.bears(row[0]), "\(row[0]): \(test.title)") }
            #expect(row[1].count > 3 && row[3].count > 3, "\(row[0])")
        }
        let page = try ProjectFiles.text("docs/reliability.md")
        #expect(page.contains("\(Self.faults.count) faults"), "the number of faults")
    }

    @Test("every threat has its answer and a test that is there")
    func threats() throws {
        let titles = try TestTitles()
        let rows = try ProjectFiles.rows("## Threats and answers", of: "docs/threat-model.md")
        #expect(rows.count >= 20)
        for row in rows {
            #expect(row.count == 3, "\(row[0]) has an answer and a test")
            #expect(!Self.tests(row.last ?? "", titles, of: row[0]).isEmpty, "\(row[0])")
        }
    }

    @Test("a title that isn't there, one of another suite and one without its id are found out")
    func judges() throws {
        let titles = try TestTitles()
        let suite = "What proves the page on reliability and the threat model"
        let title = "every threat has its answer and a test that is there"
        #expect(titles.contains(title, in: suite))
        #expect(!titles.contains(title, in: "Redis comes and goes"))
        #expect(!titles.contains(title + "!", in: suite))
        let named = try #require(Named("*A suite*: R1, C042: it holds (U12)"))
        #expect(named.bears("R1") && named.bears("C042") && named.bears("U12"))
        #expect(!named.bears("R12") && !named.bears("C04") && !named.bears("U1"))
        #expect(Named("no suite: R1") == nil)
    }
}
