import Testing

@testable import FXGateway

@Suite("The page of problem types")
struct ProblemPageTests {
    @Test("has a section for each type, whose heading is the end of the type's URI, and no other")
    func sections() throws {
        let lines = try ProjectFiles.text("docs/problems.md").split(separator: "\n")
        let headings = lines.filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
        #expect(headings.count == Set(headings).count)
        #expect(Set(headings) == Set(ProblemKind.allCases.map { "\($0.slug)" }))
        for kind in ProblemKind.allCases {
            let body = String(decoding: Problem(kind, "x").body, as: UTF8.self)
            let type = try #require(body.firstMatch(of: #/"type":"urn:fxgateway:problem:([a-z-]+)"/#)).output
                .1
            let section = try ProjectFiles.section("## \(type)", of: "docs/problems.md").joined(
                separator: "\n")
            #expect(section.contains("Status \(kind.status), code `\(kind.code)`."), "\(type)")
            for word in ["**Caller**", "**Operator**", "**Retry**"] {
                #expect(section.contains(word), "\(type)")
            }
        }
    }
}
