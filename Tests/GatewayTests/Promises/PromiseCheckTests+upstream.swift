import TestSupport

/// What no answer of the product's can talk away: it is held against the settings and upstream's own log.
extension PromiseCheckTests {
    static let settings = [
        PromiseChange(.truth, "fresh for an hour by its own word, where the settings give four seconds") {
            run in
            for index in run.asked.indices {
                run.asked[index].freshUntil = run.asked[index].fetchedAt + 3_600_000
            }
        },
        PromiseChange(.truth, "one answer that is fresh for a second too long") {
            $0.asked[9].freshUntil = $0.asked[9].fetchedAt + 5_000
        },
        PromiseChange(nil, "one whose end was cut to its second") {
            $0.asked[9].freshUntil = $0.asked[9].fetchedAt + 4_999
        },
        PromiseChange(nil, "fresh for longer as upstream has slowed the fleet down") { run in
            run.terms.lifetime = .seconds(6)
            for index in run.asked.indices {
                run.asked[index].freshUntil = run.asked[index].fetchedAt + 6_000
            }
        },
        PromiseChange(.truth, "served beyond the settings' window, whatever its own is") { run in
            run.terms.staleWindow = .seconds(7)
            run.freeze(8_000..<20_000)
        },
        PromiseChange(nil, "served within it") { run in
            run.terms.staleWindow = .seconds(8)
            run.freeze(8_000..<20_000)
        },
    ]

    static let silence = [
        PromiseChange(.recovery, "fresh by its own word, and nobody has called for eight seconds") { run in
            run.calls.removeAll { (8_001..<16_000).contains($0.received - PromiseRun.start) }
        },
        PromiseChange(nil, "nobody for six") { run in
            run.calls.removeAll { (8_001..<14_000).contains($0.received - PromiseRun.start) }
        },
        PromiseChange(.recovery, "calls for something else") { run in
            for index in run.calls.indices
            where (8_001..<16_000).contains(run.calls[index].received - PromiseRun.start) {
                run.calls[index].target = "/v1/latest/GBP?symbols=all"
            }
        },
        PromiseChange(nil, "nobody during a fault and its recovery") { run in
            run.terms.faults = [PromiseRun.range(8_000, 11_000)]
            run.calls.removeAll { (8_001..<18_000).contains($0.received - PromiseRun.start) }
        },
        PromiseChange(.recovery, "nobody after a fault either") { run in
            run.terms.faults = [PromiseRun.range(8_000, 11_000)]
            run.calls.removeAll { $0.received > PromiseRun.start + 8_000 }
        },
        PromiseChange(nil, "nobody when nothing is asked for any more") { run in
            run.calls.removeAll { $0.received > PromiseRun.start + 8_000 }
            run.asked.removeAll { $0.at >= 15_000 }
        },
        PromiseChange(nil, "nobody for eight seconds, as upstream has slowed the fleet down") { run in
            run.terms.slowInterval = .seconds(4)
            run.calls.removeAll { (8_001..<16_000).contains($0.received - PromiseRun.start) }
        },
    ]

    static let behind = [
        PromiseChange(nil, "behind for no longer than an answer without rates took at that time") { run in
            run.freeze(6_000..<7_500, of: 1)
            run.change(8_000..<9_000) { $0.idle = .milliseconds(500) }
        },
        PromiseChange(.order, "behind for longer than it took then, though not at another time") { run in
            run.freeze(6_000..<7_500, of: 1)
            run.change(12_000..<13_000) { $0.idle = .milliseconds(500) }
        },
        PromiseChange(.order, "behind while it took long of a process only that was stopped") { run in
            run.freeze(6_000..<7_500, of: 1)
            run.terms.asleep = [0: [PromiseRun.range(7_300, 7_700)]]
            run.change(7_250..<7_500, of: 0) { $0.idle = .milliseconds(500) }
        },
        PromiseChange(nil, "behind in answers of a process that was stopped meanwhile") { run in
            run.terms.asleep = [1: [PromiseRun.range(7_250, 7_500)]]
            run.freeze(6_000..<7_500, of: 1)
        },
    ]

    static let asked = [
        PromiseChange(.cooldown, "a 429 that nobody heeds") { run in
            run.limit(2, wait: 15)
        },
        PromiseChange(.cooldown, "a pause of one second where 15 were asked for") { run in
            run.limit(2, wait: 15)
            // By what the fleet has itself all is well.
            run.terms.cooldowns = [PromiseRun.range(4_001, 5_001)]
            run.calls[3].received = PromiseRun.start + 5_050
        },
        PromiseChange(nil, "a pause of 15") { run in
            run.limit(2, wait: 15)
            run.calls.removeAll { (4_001..<18_900).contains($0.received - PromiseRun.start) }
            run.pause(4_001..<19_000)
        },
        PromiseChange(nil, "a call within the slack after the answer, and one at the end") { run in
            run.limit(2, wait: 2)
            run.calls[2].delay = .milliseconds(1_900)
        },
        PromiseChange(.cooldown, "a call between the two") { run in
            run.limit(2, wait: 3)
            run.calls[2].delay = .milliseconds(1_900)
        },
        PromiseChange(nil, "one that no 429 asked for") { run in
            run.calls[2].status = 503
            run.calls[2].retryAfter = .seconds(15)
        },
        PromiseChange(nil, "one that was lost with the one who met it") { run in
            run.limit(2, wait: 15)
            run.terms.untold = [PromiseRun.range(4_500, 4_600)]
        },
        PromiseChange(.cooldown, "one that all had heard of by then") { run in
            run.limit(2, wait: 15)
            run.terms.untold = [PromiseRun.range(6_000, 7_000)]
        },
        PromiseChange(nil, "one that all forgot before the next call") { run in
            run.limit(2, wait: 15)
            run.terms.forgotten = [PromiseRun.start + 5_900]
        },
        PromiseChange(.cooldown, "one that they forgot after it") { run in
            run.limit(2, wait: 15)
            run.terms.forgotten = [PromiseRun.start + 6_200]
        },
    ]
}

extension PromiseRun {
    /// Lets upstream limit a call.
    fileprivate mutating func limit(_ index: Int, wait: Int) {
        calls[index].status = 429
        calls[index].retryAfter = .seconds(wait)
        terms.startSlack = .seconds(1)
    }

    /// A pause as the fleet has it, with answers that say so.
    fileprivate mutating func pause(_ time: Range<Int64>) {
        terms.cooldowns = [Self.range(time.lowerBound, time.upperBound)]
        freeze(time)
    }
}
