import Foundation
import TestSupport
import Testing
import UpstreamSimulator

extension FleetTests {
    @Suite("The wire of a real process")
    struct Wire {
        private struct File: Decodable { let vectors: [Vector] }

        private struct Vector: Decodable {
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
        }

        private static func vectors() throws -> [Vector] {
            let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent()
                .deletingLastPathComponent()
            let file = tests.appendingPathComponent("HTTPEngineTests/Vectors/vectors.json")
            return try JSONDecoder().decode(File.self, from: Data(contentsOf: file)).vectors
        }

        @Test("every vector of strict HTTP gets an allowed answer", .timeLimit(.minutes(3)))
        func vectors() async throws {
            let options = FleetOptions {
                $0.gateways = 1
                $0.environment["FXGW_LIVE_TTL"] = "60s"
            }
            try await FleetTests.run(options) { fleet in
                try #require(await fleet.isWarm())
                let port = fleet.gateways[0].port
                let vectors = try Self.vectors()
                #expect(vectors.count >= 80)
                let faults = try await onThread { try vectors.compactMap { try Self.fault($0, port) } }
                #expect(faults.isEmpty, "\(faults)")
                #expect(fleet.gateways[0].process.status == nil)
                #expect(fleet.calls == 1)
                print(
                    "fleet: \(vectors.count - faults.count) of \(vectors.count) vectors answered as allowed")
            }
        }

        /// What is wrong with the answer to a vector; nil if nothing is.
        private static func fault(_ vector: Vector, _ port: UInt16) throws -> String? {
            let client = try RawHTTPClient(port: port)
            try client.send(vector.text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
            let (answers, _) = try client.answers(
                vector.statuses?.count ?? 1, toHEAD: vector.text.hasPrefix("HEAD "))
            let statuses = answers.map(\.status)
            if let exact = vector.statuses, statuses != exact { return "\(vector.name): \(statuses)" }
            if let possible = vector.firstStatuses, !possible.contains(statuses.first ?? 0) {
                return "\(vector.name): \(statuses)"
            }
            let end = client.read(within: vector.closes == true ? .seconds(5) : .milliseconds(30))
            guard client.pending.isEmpty else { return "\(vector.name): more answers than requests" }
            switch (vector.closes, end) {
            case (true?, .closed), (false?, .timedOut), (nil, .closed), (nil, .timedOut): return nil
            default: return "\(vector.name): ended by \(end)"
            }
        }
    }
}
