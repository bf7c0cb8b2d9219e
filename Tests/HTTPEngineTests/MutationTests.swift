import HTTPEngine
import TestSupport
import Testing

extension OnSockets {
    @Suite("Mutated requests")
    struct MutationTests {
        /// The status codes in `bytes`, in order.
        private func statuses(_ bytes: [UInt8]) -> [Substring] {
            let text = String(decoding: bytes, as: UTF8.self)
            return text.split(separator: "HTTP/1.1 ", omittingEmptySubsequences: false).dropFirst().map {
                $0.prefix(3)
            }
        }

        private func exchange(_ server: ServerUnderTest, _ pieces: [ArraySlice<UInt8>]) throws -> [Substring]
        {
            let client = try server.client()
            // A server that has refused may have closed already.
            for piece in pieces { try? client.send(piece) }
            client.halfClose()
            #expect(client.read(within: .seconds(10)) == .closed)
            return statuses(client.pending)
        }

        @Test(
            "get the same answers in one piece and in three, and none harms the server", arguments: [1, 2, 3])
        func mutations(seed: UInt64) async throws {
            let seeds = WireVector.all.map(\.bytes).filter { $0.count < 400 }
            try #require(!seeds.isEmpty)
            var random = SplitMix(state: seed)
            try await ServerUnderTest.run { server in
                for _ in 0..<400 {
                    var bytes = seeds[random.below(seeds.count)]
                    for _ in 0...random.below(4) {
                        let place = random.below(bytes.count)
                        switch random.below(5) {
                        case 0: bytes.remove(at: place)
                        case 1: bytes.insert(UInt8(random.below(256)), at: place)
                        case 2: bytes[place] = UInt8(random.below(256))
                        case 3: bytes[place] = [13, 10, 32, 9, 58, 0, 48][random.below(7)]
                        default:
                            let end = min(bytes.count, place + random.below(30))
                            bytes.insert(contentsOf: bytes[place..<end], at: random.below(bytes.count))
                        }
                        if bytes.isEmpty { bytes = [65] }
                    }
                    let cuts = [random.below(bytes.count), random.below(bytes.count)].sorted()
                    let whole = try exchange(server, [bytes[...]])
                    let split = try exchange(
                        server, [bytes[..<cuts[0]], bytes[cuts[0]..<cuts[1]], bytes[cuts[1]...]])
                    #expect(
                        whole == split,
                        "\(String(reflecting: String(decoding: bytes, as: UTF8.self))) at \(cuts)"
                    )
                }
                #expect(await eventually(within: .seconds(5)) { server.server.counts.open == 0 })
                #expect(server.server.counts.parked == 0)
            }
        }
    }
}

/// A small random generator that gives the same numbers for the same seed.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int { limit <= 1 ? 0 : Int(next() % UInt64(limit)) }
}
