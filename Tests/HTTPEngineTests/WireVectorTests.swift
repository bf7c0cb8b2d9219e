import Foundation
import HTTPEngine
import TestSupport
import Testing

/// One request as bytes, with what a strict server does about it.
struct WireVector: Decodable, CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let statuses: [Int]?
    let firstStatuses: [Int]?
    let atMost: Int?
    /// nil: either is right.
    let closes: Bool?

    enum CodingKeys: String, CodingKey {
        case name, statuses, closes
        case text = "bytes"
        case firstStatuses = "first_status_in"
        case atMost = "answers_at_most"
    }

    var testDescription: String { name }
    /// The file holds each byte as the character with that number.
    var bytes: [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
    var isHEAD: Bool { text.hasPrefix("HEAD ") }

    private struct File: Decodable { let vectors: [WireVector] }

    static let all: [WireVector] = {
        guard
            let url = Bundle.module.url(
                forResource: "vectors", withExtension: "json", subdirectory: "Vectors"),
            let data = try? Data(contentsOf: url), let file = try? JSONDecoder().decode(File.self, from: data)
        else { return [] }
        return file.vectors
    }()
}

extension OnSockets {
    @Suite("Requests on the wire")
    struct WireVectorTests {
        @Test("all vectors are there")
        func allThere() {
            #expect(WireVector.all.count >= 80)
        }

        @Test("each vector gets the answers of a strict server", arguments: WireVector.all)
        func answers(_ vector: WireVector) async throws {
            try await ServerUnderTest.run { server in
                let client = try server.client()
                try client.send(vector.bytes)
                try check(vector, client)
            }
        }

        private func check(_ vector: WireVector, _ client: RawHTTPClient) throws {
            let wanted = vector.statuses?.count ?? 1
            let (answers, _) = try client.answers(wanted, toHEAD: vector.isHEAD)
            let statuses = answers.map(\.status)
            if let exact = vector.statuses { #expect(statuses == exact) }
            if let possible = vector.firstStatuses {
                #expect(possible.contains(statuses.first ?? 0), "\(statuses)")
            }
            // What follows: the end, or silence. Never another answer.
            let end = client.read(within: vector.closes == true ? .seconds(5) : .milliseconds(30))
            #expect(client.pending.isEmpty, "more than the wanted answers")
            switch vector.closes {
            case true?: #expect(end == .closed, "the answer must be readable and the connection closed")
            case false?: #expect(end == .timedOut)
            case nil: #expect(end != .reset)
            }
            for answer in answers where answer.status >= 200 {
                #expect(answer.field("server") == nil)
                #expect(answer.field("date")?.utf8.count == 29)
                #expect(answer.field("x-content-type-options") == "nosniff")
                #expect(answer.field("x-request-id") != nil)
            }
        }

        @Test(
            "the same bytes in two pieces, cut at every place, get the same answers",
            arguments: [
                "plain GET", "pipelined x3", "HEAD", "convert with Content-Length", "convert chunked",
                "convert chunked in two, pipelined GET behind", "CL+TE chunked", "obs-fold", "leading CRLF",
                "HTTP/1.2",
                "Upgrade: h2c", "chunk data no CRLF", "Expect: 100-continue", "200 headers",
                "HTTP/1.0 keep-alive",
                "two Hosts", "bare CR in value",
            ])
        func splits(_ name: String) async throws {
            let vector = try #require(WireVector.all.first { $0.name == name })
            try await ServerUnderTest.run { server in
                let whole = try server.client()
                try whole.send(vector.bytes)
                let wanted = vector.statuses?.count ?? 1
                let expected = try whole.answers(wanted, toHEAD: vector.isHEAD).answers
                #expect(expected.count == wanted)
                for cut in 1..<vector.bytes.count {
                    let client = try server.client()
                    try client.send(vector.bytes[..<cut])
                    // Enough for the server to see the first piece by itself; if it isn't, nothing is wrong.
                    usleep(200)
                    // A server that has refused already may have closed.
                    try? client.send(vector.bytes[cut...])
                    let (answers, _) = try client.answers(wanted, toHEAD: vector.isHEAD)
                    #expect(answers.map(\.status) == expected.map(\.status), "cut at \(cut)")
                    #expect(answers.map(\.body) == expected.map(\.body), "cut at \(cut)")
                }
            }
        }

        @Test("byte by byte is as good as at once", arguments: ["pipelined x3", "convert chunked"])
        func byteByByte(_ name: String) async throws {
            let vector = try #require(WireVector.all.first { $0.name == name })
            try await ServerUnderTest.run { server in
                let client = try server.client()
                for byte in vector.bytes { try client.send([byte]) }
                try check(vector, client)
            }
        }
    }
}
