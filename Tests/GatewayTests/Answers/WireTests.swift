import Foundation
import TestSupport
import Testing

@testable import FXGateway

/// One request as bytes, with what a strict server does about it.
struct GatewayWireVector: Decodable, CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let statuses: [Int]?
    let firstStatuses: [Int]?
    let closes: Bool?

    enum CodingKeys: String, CodingKey {
        case name, statuses, closes
        case text = "bytes"
        case firstStatuses = "first_status_in"
    }

    var testDescription: String { name }
    /// The file holds each byte as the character with that number.
    var bytes: [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

    private struct File: Decodable { let vectors: [GatewayWireVector] }

    /// The vectors that the engine's tests have: the same bytes, with the gateway's own routes behind them.
    static let all: [GatewayWireVector] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "HTTPEngineTests/Vectors/vectors.json")
        guard let data = try? Data(contentsOf: file) else { return [] }
        return (try? JSONDecoder().decode(File.self, from: data).vectors) ?? []
    }()
}

@Suite("Requests on the wire, with the gateway behind", .timeLimit(.minutes(4)))
struct WireTests {
    @Test("all vectors are there")
    func allThere() {
        #expect(GatewayWireVector.all.count >= 80)
    }

    @Test("each vector gets the statuses of a strict server", arguments: GatewayWireVector.all)
    func statuses(_ vector: GatewayWireVector) async throws {
        try await GatewayRig.run { rig in
            await rig.hold(SampleTable.usd)
            let client = try rig.client()
            try client.send(vector.bytes)
            let isHEAD = vector.text.hasPrefix("HEAD ")
            let answers = try client.answers(vector.statuses?.count ?? 1, toHEAD: isHEAD).answers
            if let exact = vector.statuses { #expect(answers.map(\.status) == exact) }
            if let first = vector.firstStatuses {
                let status = answers.first?.status
                #expect(
                    status.map(first.contains) == true, "\(String(describing: status)) isn't one of \(first)")
            }
            for answer in answers where answer.status >= 400 {
                #expect(answer.field("content-type") == "application/problem+json")
                #expect(answer.field("cache-control") == "no-store")
            }
            if vector.closes == true { #expect(client.isClosedByServer()) }
        }
    }
}
