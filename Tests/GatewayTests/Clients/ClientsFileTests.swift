import CacheLayer
import Testing

@testable import FXGateway

@Suite("Clients file")
struct ClientsFileTests {
    private static let digest = SampleClients.hexadecimal(SampleClients.token)
    private static let second = SampleClients.hexadecimal(SampleClients.other)

    private func problems(_ text: String) -> [String] {
        do throws(ClientsFile.Refusal) {
            _ = try ClientsFile.parse(Array(text.utf8))
            return []
        } catch {
            return error.problems
        }
    }

    private func file(_ entries: String...) -> String {
        "{\"clients\":[\n\(entries.joined(separator: ",\n"))\n]}"
    }

    @Test("an entry says who may ask, how much, and how fresh its answers must be")
    func good() throws {
        let entries = try ClientsFile.parse(
            Array(
                file(
                    "{\"name\":\"reports\",\"token_sha256\":\"\(Self.digest)\"}",
                    """
                    {"name":"shop-2","token_sha256":["\(Self.second.uppercased())","\(String(repeating: "0", count: 64))"],
                     "per_minute":600,"max_data_age":"2d","sources":["ecb_daily","live"],"on_stale":"reject"}
                    """
                ).utf8))
        #expect(entries.map(\.name) == ["reports", "shop-2"])
        #expect(entries[0].tokens == [SampleClients.digest(SampleClients.token)])
        #expect(entries[0].allowance == nil && entries[0].wish == .any)
        #expect(entries[1].tokens.first == SampleClients.digest(SampleClients.other))
        #expect(entries[1].tokens.count == 2)
        #expect(entries[1].allowance == Allowance(perMinute: 600))
        #expect(entries[1].wish.maxDataAge == .seconds(2 * 86_400))
        #expect(entries[1].wish.sources?.map(\.name).sorted() == ["ecb_daily", "live"])
        #expect(entries[1].wish.rejectsStale == true)
        #expect(try ClientsFile.parse(Array("{\"clients\":[]}".utf8)).isEmpty)
    }

    @Test("every problem is told at once, each with its entry")
    func all() {
        let text = file(
            "7", "{\"name\":\"a\",\"token_sha256\":\"\(Self.digest)\"}",
            "{\"name\":\"a\",\"token_sha256\":\"\(Self.digest)\"}",
            "{\"name\":\"\",\"token_sha256\":\"12\",\"per_minute\":0}",
            "{\"token_sha256\":[],\"max_data_age\":\"90\",\"sources\":[],\"on_stale\":\"maybe\",\"token\":\"x\"}",
            "{\"name\":\"e\",\"token_sha256\":\"\(SampleClients.hexadecimal(""))\",\"per_minute\":1.0}",
            "{\"name\":\"f\",\"token_sha256\":\"\(SampleClients.hexadecimal("f"))\"}",
            "{\"name\":\"g\",\"token_sha256\":[\"\(Self.second)\",\"\(Self.second)\"],\"sources\":[\"live\",1]}"
        )
        let found = problems(text).map { String($0.prefix { $0 != ":" }) }
        let expected = [1, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5, 5, 6, 6, 7, 8, 8].map { "entry \($0)" }
        #expect(found == expected)
    }

    @Test(
        "a text that isn't JSON is refused with the line",
        arguments: [
            ("{\"clients\":[\n{\"name\":\"a\",\n}]}", "isn't JSON from line 3 on"),
            ("", "isn't JSON from line 1 on"), ("{\"clients\":[]}\n\nx", "isn't JSON from line 3 on"),
            ("{\"clients\":[{\"per_minute\":01}]}", nil), ("{\"clients\":[],\"clients\":[]}", nil),
            ("[]", nil), ("{}", nil), ("{\"clients\":{}}", nil), ("{\"clients\":[],\"more\":1}", nil),
            ("{\"clients\":[[[[[[[[1]]]]]]]]}", nil),
        ])
    func malformed(text: String, sentence: String?) {
        let found = problems(text)
        #expect(found.count == 1)
        if let sentence { #expect(found == [sentence]) }
    }

    @Test("C190: no problem shows a token, a digest or an unknown word, wherever it stands")
    func secrecy() {
        let secret = "s3cr3t-\(Self.digest)"
        let texts = [
            file("{\"name\":\"\(secret) \",\"token_sha256\":\"\(secret)\",\"\(secret)\":\"\(secret)\"}"),
            file(
                "{\"name\":\"a\",\"token_sha256\":\"\(Self.digest)\"}",
                "{\"name\":\"b\",\"token_sha256\":\"\(Self.digest)\"}"),
            file(
                "{\"name\":\"a\",\"per_minute\":\"\(secret)\",\"sources\":[\"\(secret)\",2],\"on_stale\":\"\(secret)\"}"
            ),
            "{\"\(secret)\":1}", "{\"clients\":[\n\"\(secret)\n]}",
        ]
        for text in texts {
            let found = problems(text).joined(separator: "\n")
            #expect(!found.isEmpty)
            #expect(!found.contains("s3cr3t") && !found.contains(Self.digest), "\(found)")
        }
    }

    @Test("size and number are bounded, edges in pairs")
    func bounds() throws {
        func entry(_ index: Int) -> String {
            "{\"name\":\"c\(index)\",\"token_sha256\":\"\(SampleClients.hexadecimal("t\(index)"))\"}"
        }
        let full = "{\"clients\":[" + (0..<256).map(entry).joined(separator: ",") + "]}"
        #expect(try ClientsFile.parse(Array(full.utf8)).count == 256)
        #expect(problems("{\"clients\":[" + (0..<257).map(entry).joined(separator: ",") + "]}").count == 1)
        let padding = String(repeating: " ", count: ClientsFile.longest - full.utf8.count)
        #expect(problems(full + padding).isEmpty)
        #expect(problems(full + padding + " ") == ["is longer than 256 KiB"])
        let tokens = (0..<5).map { "\"\(SampleClients.hexadecimal("x\($0)"))\"" }
        #expect(
            problems(file("{\"name\":\"a\",\"token_sha256\":[\(tokens.prefix(4).joined(separator: ","))]}"))
                .isEmpty)
        #expect(
            problems(file("{\"name\":\"a\",\"token_sha256\":[\(tokens.joined(separator: ","))]}")).count == 1)
        for (length, count) in [(64, 0), (65, 1)] {
            let name = String(repeating: "n", count: length)
            #expect(
                problems(file("{\"name\":\"\(name)\",\"token_sha256\":\"\(Self.digest)\"}")).count == count)
        }
        for (limit, count) in [("1", 0), ("0", 1), ("1000000", 0), ("1000001", 1)] {
            let text = file("{\"name\":\"a\",\"token_sha256\":\"\(Self.digest)\",\"per_minute\":\(limit)}")
            #expect(problems(text).count == count, "\(limit)")
        }
        let bad = "{\"clients\":[" + Array(repeating: "{}", count: 256).joined(separator: ",") + "]}"
        #expect(problems(bad).count == ClientsFile.mostProblems + 1)
        #expect(problems(bad).last == "has 412 problems more")
    }

    @Test("a digest shows in no description and no dump")
    func digests() throws {
        let entries = try ClientsFile.parse(
            Array(file("{\"name\":\"a\",\"token_sha256\":\"\(Self.digest)\"}").utf8))
        var shown = "\(entries)" + String(reflecting: entries)
        dump(entries, to: &shown)
        #expect(shown.contains("(secret)"))
        #expect(!shown.contains(Self.digest.prefix(8)))
        #expect(entries[0].tokens.map(\.customMirror.children.count) == [0])
    }
}
