import TestSupport
import Testing

@testable import CacheLayer

@Suite("Two rate stores", .timeLimit(.minutes(4)))
struct StoreDifferenceTests {
    @Test("give equal answers to the same random life, moved by the same hand", arguments: UInt64(1)...12)
    func equalAnswers(seed: UInt64) async throws {
        // From too little for one body to room for all: what has to go, and what can't be kept, is compared too.
        let room = [40, 90, 400, 1 << 20][Int(seed % 4)]
        try await StoreBench.with(.memory, archiveBytes: room) { memory in
            try await StoreBench.with(.redis, archiveBytes: room) { redis in
                var script = StoreScript(seed: seed)
                for number in 0..<600 {
                    let step = script.step(now: memory.now)
                    let isEqual = try await play(step, on: memory, redis, &script)
                    let isKept = try await isSameArchive(after: step, on: memory, redis, room: room, script)
                    #expect(isEqual && isKept, "seed \(seed), step \(number): \(step)")
                    if !isEqual || !isKept { return }
                }
            }
        }
    }

    @Test("meet every word of the contract in such lives: otherwise equal answers would prove little")
    func everyWord() async throws {
        var words: [String: Int] = [:]
        for seed in UInt64(1)...20 {
            try await StoreBench.with(.memory) { bench in
                var script = StoreScript(seed: seed)
                for _ in 0..<600 {
                    let step = script.step(now: bench.now)
                    guard let word = try await word(step, on: bench, &script) else { continue }
                    words[word, default: 0] += 1
                }
            }
        }
        let expected = [
            "begin newer", "begin fetch", "begin busy", "begin slotsTaken", "begin cooldown", "begin paced",
            "begin exhausted", "begin late", "begin lost", "finish stored", "finish fenced", "finish older",
            "finish noted", "finish wait", "finish lost", "look seen", "look lost", "begin refused",
            "lift lifted", "lift nothing", "purge purged", "amend stored", "amend busy", "amend changed",
            "amend overtaken",
        ]
        for word in expected { #expect(words[word, default: 0] >= 5, "\(word): \(words)") }
    }

    /// Whether both keep the same snapshots to be asked for again, in bounds, and give the same ones for ids and instants.
    private func isSameArchive(
        after step: StoreScript.Step, on memory: StoreBench, _ redis: StoreBench, room: Int,
        _ script: StoreScript
    ) async throws -> Bool {
        switch step {
        case .finish, .restore, .amend: break
        case .move, .loseControl, .rollBack, .loseSnapshot, .begin, .look, .lift, .purge: return true
        }
        let texts = [try memory.archiveText(), try redis.archiveText()]
        #expect(texts[0] == texts[1])
        let bytes = try redis.archivedBytes()
        #expect(bytes <= room && (texts[1] == "0" || texts[1].hasPrefix("\(bytes)\n")))
        for snapshot in script.lastFetched {
            for before in [Duration.zero, .milliseconds(1)] {
                let instant = snapshot.fetchedAt + (.zero - before)
                let found = try await memory.store.archived(of: snapshot.resource, at: instant)
                #expect(try await redis.store.archived(of: snapshot.resource, at: instant) == found)
            }
            let found = try await memory.store.archived(snapshot.id)
            #expect(try await redis.store.archived(snapshot.id) == found)
        }
        return texts[0] == texts[1]
    }

    private func word(
        _ step: StoreScript.Step, on bench: StoreBench, _ script: inout StoreScript
    ) async throws -> String? {
        func first(_ text: String) -> String { String(text.prefix { $0 != "(" }) }
        switch step {
        case .begin(let request):
            let answer = try await bench.store.begin(request)
            script.told(answer, to: request)
            return "begin " + first("\(answer.reply)")
        case .finish(let request):
            let answer = try await bench.store.finish(request)
            script.told(answer, to: request)
            return "finish " + first("\(answer.reply)")
        case .look(let request):
            let answer = try await bench.store.look(request)
            script.told(answer.shadow)
            return "look " + first("\(answer.reply)")
        case .lift(let request):
            let answer = try await bench.store.lift(request)
            script.told(answer.shadow)
            return "lift " + first("\(answer.reply)")
        case .purge(let request):
            let answer = try await bench.store.purge(request)
            script.told(answer.shadow)
            return "purge " + first("\(answer.reply)")
        case .amend(let request):
            let answer = try await bench.store.amend(request)
            script.told(answer, to: request)
            return "amend " + first("\(answer.reply)")
        case .move, .loseControl, .rollBack, .loseSnapshot, .restore:
            _ = try await play(step, on: bench, bench, &script)
            return nil
        }
    }

    private func play(
        _ step: StoreScript.Step, on memory: StoreBench, _ redis: StoreBench, _ script: inout StoreScript
    ) async throws -> Bool {
        switch step {
        case .move(let instant):
            for bench in [memory, redis] { try bench.set(instant) }
        case .loseControl:
            for bench in [memory, redis] { try bench.loseControl() }
        case .rollBack:
            for bench in [memory, redis] { try bench.rollBackControl() }
        case .loseSnapshot(let resource):
            for bench in [memory, redis] { try bench.loseSnapshot(of: resource) }
        case .begin(let request):
            let answer = try await memory.store.begin(request)
            script.told(answer, to: request)
            return same(answer, try await redis.store.begin(request))
        case .finish(let request):
            let answer = try await memory.store.finish(request)
            script.told(answer, to: request)
            return same(answer, try await redis.store.finish(request))
        case .restore(let testimony):
            let answer = try await memory.store.restore(testimony)
            script.told(answer.shadow)
            return same(answer, try await redis.store.restore(testimony))
        case .look(let request):
            let answer = try await memory.store.look(request)
            script.told(answer.shadow)
            return same(answer, try await redis.store.look(request))
        case .lift(let request):
            let answer = try await memory.store.lift(request)
            script.told(answer.shadow)
            return same(answer, try await redis.store.lift(request))
        case .purge(let request):
            let answer = try await memory.store.purge(request)
            script.told(answer.shadow)
            return same(answer, try await redis.store.purge(request))
        case .amend(let request):
            let answer = try await memory.store.amend(request)
            script.told(answer, to: request)
            return same(answer, try await redis.store.amend(request))
        }
        return true
    }

    /// Equal but for what is left of a snapshot's life, which Redis counts by its own clock.
    private func same<Reply>(_ left: Answer<Reply>, _ right: Answer<Reply>) -> Bool {
        let texts = [left, right].map { answer in
            "\(answer)".replacing(/keepFor: [^,)]*/, with: "")
        }
        #expect(texts[0] == texts[1])
        return texts[0] == texts[1]
    }
}
