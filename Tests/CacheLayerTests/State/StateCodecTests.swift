import Testing

@testable import CacheLayer

@Suite("State file: format")
struct StateCodecTests {
    private let codec = StateCodec(identity: StateSamples.identity)

    private func fault(_ bytes: [UInt8]) -> StateFileFault? {
        StateSamples.fault { () throws(StateFileFault) in _ = try codec.decode(bytes) }
    }

    /// The sample's bytes with one text in place of another, and the digest that fits.
    private func edited(_ old: String, _ new: String) -> [UInt8] {
        let text = String(decoding: codec.encode(StateSamples.full).dropLast(78), as: UTF8.self) + "}"
        let edited = Array(text.replacing(old, with: new, maxReplacements: 1).utf8)
        #expect(edited != Array(text.utf8))
        return edited.dropLast() + Array(",\"sha256\":\"\(ContentDigest(of: edited).hexadecimal)\"}\n".utf8)
    }

    @Test("gives back what was written, field by field")
    func roundTrip() throws {
        let full = StateSamples.full
        let bytes = codec.encode(full)
        #expect(try codec.decode(bytes) == full)
        #expect(codec.encode(try codec.decode(bytes)) == bytes)
        let bare = SavedState(instance: "i", written: StateSamples.written)
        #expect(try codec.decode(codec.encode(bare)) == bare)
    }

    @Test("a file cut short anywhere is refused")
    func truncated() {
        let bytes = codec.encode(StateSamples.full)
        for length in 0..<bytes.count {
            let found = fault(Array(bytes.prefix(length)))
            // Only the last line feed may be missing from a whole document.
            #expect(found == (length == bytes.count - 1 ? .damaged : .notJSON), "\(length)")
        }
    }

    @Test("a file with one byte changed anywhere is refused")
    func changed() {
        let bytes = codec.encode(StateSamples.full)
        for place in bytes.indices {
            var other = bytes
            other[place] ^= 1
            #expect(fault(other) != nil, "\(place)")
        }
    }

    @Test(
        "what isn't ours is named",
        arguments: [
            ("", StateFileFault.notJSON), ("\u{0}\u{0}\u{0}", .notJSON), ("[]", .malformed),
            ("{}", .malformed),
            ("{\"schema\":2}", .otherSchema), ("{\"schema\":0,\"fleet\":\"test\"}", .otherSchema),
            ("{\"schema\":1}", .malformed), ("{\"schema\":\"1\"}", .malformed),
            ("{\"schema\":1,\"fleet\":\"other\",\"upstream\":\"127.0.0.1:9099\"}", .foreign),
            ("{\"schema\":1,\"fleet\":\"test\",\"upstream\":\"api.test:443\"}", .foreign),
            ("{\"schema\":1,\"fleet\":\"test\",\"upstream\":\"127.0.0.1:9099\"}", .damaged),
            (String(repeating: "[", count: 100_000), .notJSON),
        ] as [(String, StateFileFault)])
    func foreign(text: String, expected: StateFileFault) {
        #expect(fault(Array(text.utf8)) == expected)
    }

    @Test("too large is not even looked at")
    func tooLarge() {
        #expect(fault([UInt8](repeating: 0x20, count: StateCodec.largestFile + 1)) == .tooLarge)
    }

    @Test(
        "fields that can't be right are malformed, also under a right digest",
        arguments: [
            ("\"counted\":4711", "\"counted\":-1"), ("\"counted\":4711", "\"counted\":1e3"),
            ("\"counted\":4711", "\"counted\":1000000001"), ("\"counted\":4711", "\"counted\":null"),
            ("\"counted\":4711", "\"coonted\":4711"), ("\"month\":\"2026-03\"", "\"month\":\"2026-13\""),
            ("\"scope\":\"short\"", "\"scope\":\"long\""), ("latest:USD", "latest:"),
            ("\"recent\":[[3000000,2]", "\"recent\":[[3000000,0]"),
            ("\"recent\":[[3000000,2]", "\"recent\":[[3]"),
            ("\"age_ms\":1234", "\"age_ms\":9999999999999999"), ("\"slow\":\"2:", "\"slow\":\"9:"),
            ("\"instance\":\"0", "\"instance\":\"\\n"), ("\\\"settled\\\":false", "\\\"settled\\\":0"),
        ] as [(String, String)])
    func malformed(old: String, new: String) {
        #expect(fault(edited(old, new)) == .malformed)
    }

    @Test("fields that a newer version adds are left alone")
    func additions() throws {
        let bytes = edited("\"counted\":4711", "\"counted\":4711,\"new\":{\"a\":[1]}")
        #expect(try codec.decode(bytes) == StateSamples.full)
    }

    @Test("is bounded: latest tables first, then the newest, as many as fit")
    func bounded() throws {
        var state = SavedState(instance: "i", written: StateSamples.written)
        let codec = StateCodec(identity: StateSamples.identity, mostSnapshotBytes: 50_000)
        let notice = String(repeating: "\"", count: 3_000)
        for number in 0..<12 {
            let code = "A" + String(UnicodeScalar(UInt8(65 + number))) + "A"
            state.snapshots.append(
                StateSamples.held(code, fetchedAt: StateSamples.noon + .seconds(number), notice: notice))
        }
        let bytes = codec.encode(state)
        #expect(bytes.count < 60_000)
        let kept = try codec.decode(bytes).snapshots.map(\.stored.fetchedAt)
        #expect(kept.first == StateSamples.noon + .seconds(11))
        #expect((2...8).contains(kept.count))
        #expect(kept == kept.sorted(by: >))
    }

    @Test(
        "its name stays in the directory and differs for every fleet and upstream",
        arguments: ["default", "a/../../etc", "..", "", "\u{0}x", "ö", String(repeating: "x", count: 300)])
    func name(fleet: String) {
        let name = StateIdentity(fleet: fleet, upstream: "api.test:443").fileName
        #expect(name.hasPrefix("fxgateway-") && name.hasSuffix(".json") && name.utf8.count <= 96)
        #expect(!name.contains("/") && !name.contains("\u{0}") && !name.contains(".."))
        #expect(name != StateIdentity(fleet: fleet, upstream: "api.test:444").fileName)
        #expect(name != StateIdentity(fleet: fleet + "_", upstream: "api.test:443").fileName)
    }
}
