import CacheLayer
import Testing

@testable import FXGateway

@Suite("Bounds of the answer cache")
struct BoundsTests {
    private func answer(bytes: Int = 100, validUntil: Int64 = 1_000_000) throws -> RenderedAnswer {
        let snapshot = SampleTable.snapshot(SampleTable.usd)
        let clock = GatewayClock.system
        let view = ResourceView(
            adopted: Adopted(snapshot, storeNow: snapshot.fetchedAt, arrived: clock.now()), condition: .idle)
        let holding = try #require(Holding(view, clock: clock, policy: TierPolicy()))
        var table = SnapshotTable(bases: [.usd], policy: TierPolicy())
        table.adopt(view, of: .latest(base: .usd), clock: clock)
        let outcome = table.plan(
            .rate(base: .usd, quote: .eur, numbers: .number), at: holding.born,
            today: SampleTable.fetchedAt.date)
        guard case .answer(let plan, _, let wanted) = outcome else { throw Missing() }
        return RenderedAnswer(
            route: .rate, plan: plan, holding: holding, wanted: wanted,
            body: [UInt8](repeating: 0, count: bytes),
            visibility: .private, demand: DemandNote())
    }

    private struct Missing: Error {}

    private func selection(_ number: Int) -> Selection {
        .rate(base: .usd, quote: .sample("A\(1_000 + number)"), numbers: .number)
    }

    @Test("no flood of selections keeps more than two generations, and what is used stays")
    func entries() throws {
        var cache = AnswerCache(entryLimit: 10, byteLimit: 1 << 20)
        let answer = try answer()
        let now = answer.born
        cache.insert(answer, for: selection(0))
        for number in 1..<1_000 {
            cache.insert(answer, for: selection(number))
            #expect(cache.count <= 20)
            #expect(cache.find(selection(0), at: now) != nil)
        }
        #expect(cache.find(selection(500), at: now) == nil)
        let held = cache.count
        let forgotten = cache.removeAll()
        #expect(forgotten.count == held)
        #expect(cache.count == 0)
    }

    @Test("bytes are bounded like entries")
    func bytes() throws {
        var cache = AnswerCache(entryLimit: 1_000, byteLimit: 64 << 10)
        let answer = try answer(bytes: 10 << 10)
        for number in 0..<100 {
            cache.insert(answer, for: selection(number))
            #expect(cache.count <= 12)
        }
    }

    @Test("an answer whose state has turned isn't found")
    func validity() throws {
        var cache = AnswerCache(entryLimit: 10, byteLimit: 1 << 20)
        var aliases = TargetAliases(count: 16)
        let answer = try answer()
        cache.insert(answer, for: selection(0))
        Array("/a".utf8).withUnsafeBytes { target in
            aliases.insert(target, answer)
            #expect(aliases.find(target, at: answer.validUntil - 1) === answer)
            #expect(aliases.find(target, at: answer.validUntil) == nil)
        }
        #expect(cache.find(selection(0), at: answer.validUntil - 1) === answer)
        #expect(cache.find(selection(0), at: answer.validUntil) == nil)
    }

    @Test("aliases tell targets apart by every byte, and forget the oldest of a place")
    func aliases() throws {
        var aliases = TargetAliases(count: 64)
        let answer = try answer()
        let targets = (0..<500).map { Array("/v1/latest?symbols=EUR&n=\($0)".utf8) }
        for target in targets {
            target.withUnsafeBytes { aliases.insert($0, answer) }
            target.withUnsafeBytes { #expect(aliases.find($0, at: answer.born) != nil) }
        }
        let kept = targets.filter { target in
            target.withUnsafeBytes { aliases.find($0, at: answer.born) != nil }
        }
        #expect(kept.count <= 64)
        #expect(kept.contains(targets[499]))
        Array("/v1/latest?symbols=EUR&n=49".utf8).dropLast().withUnsafeBytes {
            #expect(aliases.find($0, at: answer.born) == nil)
        }
        let long = [UInt8](repeating: 0x61, count: TargetAliases.longest + 1)
        long.withUnsafeBytes { target in
            aliases.insert(target, answer)
            #expect(aliases.find(target, at: answer.born) == nil)
        }
        _ = aliases.removeAll()
        targets[499].withUnsafeBytes { #expect(aliases.find($0, at: answer.born) == nil) }
    }

    @Test(
        "If-None-Match by the letter",
        arguments: [
            (#""x""#, true), (#"W/"x""#, true), (#""y", "x""#, true), ("*", true), (#""y""#, false),
            ("x", false),
            (#""x"#, false), ("W/x", false), (#"w/"x""#, false), ("", false), (",,", false),
            (#""y" W/"x""#, true),
            (#""xx""#, false), ("W", false), ("W/", false),
        ])
    func tags(value: String, isMatch: Bool) {
        Array(value.utf8).withUnsafeBytes { #expect(EntityTag.matches($0, Array(#""x""#.utf8)) == isMatch) }
    }
}
