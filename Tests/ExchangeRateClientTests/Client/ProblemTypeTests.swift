import Foundation
import Testing

@testable import ExchangeRateClient

@Suite("The gateway's problem types as the client reads them")
struct ProblemTypeTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Each section of docs/problems.md: its word, its status and what it says on trying again.
    private static func sections() throws -> [(word: String, status: Int, retry: String)] {
        let page = try String(contentsOf: root.appending(path: "docs/problems.md"), encoding: .utf8)
        return try page.components(separatedBy: "\n## ").dropFirst().map { section in
            let word = try #require(section.split(separator: "\n").first)
            let status = try #require(section.firstMatch(of: /Status ([0-9]{3})/)?.output.1)
            let retry = try #require(section.firstMatch(of: /\*\*Retry\*\*: (.*)/)?.output.1)
            return (String(word), try #require(Int(status)), String(retry))
        }
    }

    @Test("each is known, and is tried again where its page says that waiting helps")
    func pages() throws {
        let sections = try Self.sections()
        #expect(sections.count >= 27)
        for (word, status, retry) in sections {
            let body =
                #"{"type":"urn:fxgateway:problem:\#(word)","code":"service_unavailable","result":"error"}"#
            let code = try JSONDecoder().decode(Verdict.self, from: Data(body.utf8)).code
            #expect(code == ErrorCode(word: word) && code != nil, "\(word)")
            let answer = RawAnswer(status: status, fields: [:], body: Data(body.utf8), elapsed: .zero)
            let error = AnswerReader.refusal(answer, now: Date())
            let waits = retry.hasPrefix("Yes, after") && (status == 429 || status >= 500)
            #expect(error.isWorthAnotherTry == waits, "\(word): \(error), the page: \(retry)")
        }
    }

    @Test("the library imports Foundation alone, and what only Linux has behind a condition")
    func imports() throws {
        let folder = Self.root.appending(path: "Sources/ExchangeRateClient")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files
        where file.pathExtension == "swift" && !file.path.contains(".docc/") {
            count += 1
            var isConditional = false
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                if line.hasPrefix("#if canImport(FoundationNetworking)") { isConditional = true }
                if line.hasPrefix("#endif") { isConditional = false }
                guard
                    let module = line.firstMatch(of: /^(?:public |package |internal )?import (\S+)/)?.output.1
                else {
                    continue
                }
                #expect(
                    module == "Foundation" || (module == "FoundationNetworking" && isConditional),
                    "\(file.path)")
            }
        }
        #expect(count > 40)
    }
}
