import TestSupport
import Testing

@Suite("The judge of the promises")
struct PromiseCheckTests {
    @Test("finds nothing in a run that went as promised")
    func honest() {
        let violations = PromiseRun().check.violations()
        #expect(violations.isEmpty, "\(violations.prefix(3))")
    }

    @Test(
        "finds each thing that breaks a promise, under the right one, and lets pass what just keeps it",
        arguments: spend + grants + labels + truth + settings + latency + order + behind + cooldown + asked
            + recovery + silence + exactness + secrecy)
    func finds(_ change: PromiseChange) {
        var run = PromiseRun()
        change.change(&run)
        let violations = run.check.violations()
        #expect(Set(violations.map(\.promise)) == Set([change.breaks].compactMap(\.self)), "\(violations)")
    }

    @Test("measures how long an instance was behind the others")
    func lag() {
        var run = PromiseRun()
        run.freeze(4_000..<4_500, of: 1)
        // Seen by the first one at 4 s and a millisecond; the other still had the old one at 4.25 s.
        #expect(run.check.publicationLag() == .milliseconds(249))
    }

    private static let spend = [
        PromiseChange(nil, "as many calls as the ledger has grown by") { $0.ledger = 100...110 },
        PromiseChange(.spend, "a call that isn't in the ledger") { $0.ledger = 100...109 },
        PromiseChange(nil, "a plan that is used up") { $0.terms.plan = 110 },
        PromiseChange(.spend, "a ledger beyond the plan") { $0.terms.plan = 109 },
        PromiseChange(nil, "a call that measured a little early") { $0.calls[3].received -= 100 },
        PromiseChange(.spend, "two calls within an interval") { $0.calls[3].received -= 101 },
        PromiseChange(nil, "two within an interval after a lost lease") {
            $0.calls[3].received -= 500
            $0.terms.lostLeases = 1
        },
        PromiseChange(.spend, "two times two after one lost lease") {
            $0.calls[3].received -= 500
            $0.calls[6].received -= 500
            $0.terms.lostLeases = 1
        },
        PromiseChange(nil, "two for two resources") {
            $0.calls[3].received -= 500
            $0.calls[3].target = "/v1/latest/USD?symbols=all"
        },
        PromiseChange(.spend, "two calls at one time") { $0.calls[3].concurrent = 2 },
        PromiseChange(nil, "a second one beside that of a lost lease") {
            $0.calls[3].concurrent = 2
            $0.terms.lostLeases = 1
        },
    ]

    private static let grants = [
        PromiseChange(nil, "a call within the slack after its grant, and the next at once after its own") {
            $0.calls[3].received += 900
            $0.terms.startSlack = .seconds(1)
        },
        PromiseChange(.spend, "more of it than the slack") {
            $0.calls[3].received += 1_200
            $0.terms.startSlack = .seconds(1)
        },
        PromiseChange(.spend, "calls that come nearer and nearer, each within the slack of the last") { run in
            for index in 1..<run.calls.count { run.calls[index].received -= Int64(index) * 400 }
            run.terms.startSlack = .seconds(1)
        },
        PromiseChange(nil, "one second after a call that failed") {
            $0.calls[2].status = 500
            $0.calls[3].received -= 1_000
        },
        PromiseChange(.spend, "less than that") {
            $0.calls[2].status = 500
            $0.calls[3].received -= 1_101
        },
        PromiseChange(nil, "one second after a good status with nothing of use") {
            $0.terms.failing = [PromiseRun.range(3_900, 4_100)]
            $0.calls[3].received -= 1_000
        },
        PromiseChange(nil, "early in the time of a lost lease") {
            $0.terms.losses = [PromiseRun.range(5_000, 6_000)]
            $0.calls[3].received -= 500
        },
        PromiseChange(.spend, "early at another time") {
            $0.terms.losses = [PromiseRun.range(5_600, 6_000)]
            $0.calls[3].received -= 500
        },
        PromiseChange(.spend, "early twice in the time of one") {
            $0.terms.losses = [PromiseRun.range(3_000, 20_000)]
            $0.calls[3].received -= 500
            $0.calls[6].received -= 500
        },
        PromiseChange(nil, "two at one time where two are allowed") {
            $0.calls[3].concurrent = 2
            $0.terms.cap = 2
        },
        PromiseChange(.spend, "three of them") {
            $0.calls[3].concurrent = 3
            $0.terms.cap = 2
        },
    ]

    private static let exactness = [
        PromiseChange(.exactness, "other digits of the same number") { $0.asked[9].digits = "1.08510" },
        PromiseChange(.exactness, "another notation") { $0.asked[9].digits = "10.851e-1" },
        PromiseChange(nil, "digits of a time of which nothing is known") { run in
            run.change(1_000..<2_000) {
                $0.dataTime = 1_000
                $0.digits = "2"
            }
            run.change(0..<1_000) { $0.dataTime = 0 }
        },
    ]

    private static let secrecy = [
        PromiseChange(nil, "a secret that stands nowhere") {
            $0.secrets = ["S3cret"]
            $0.writings = [("a log", "s3cret, Secret")]
        },
        PromiseChange(.secrecy, "one in a log") {
            $0.secrets = ["S3cret"]
            $0.writings = [("a log", "key=S3cret")]
        },
        PromiseChange(.secrecy, "one in an answer's body") {
            $0.secrets = ["S3cret"]
            $0.asked[9].digits = "1.0851,\"x\":\"S3cret\""
        },
        PromiseChange(.secrecy, "one in an answer's field") {
            $0.secrets = ["S3cret"]
            $0.asked[9].note = "S3cret"
        },
    ]

    private static let labels = [
        PromiseChange(.truth, "no source") { $0.asked[9].source = nil },
        PromiseChange(.truth, "no data time") { $0.asked[9].dataTime = nil },
        PromiseChange(.truth, "no snapshot") { $0.asked[9].snapshot = nil },
        PromiseChange(.truth, "no state") { $0.asked[9].state = nil },
        PromiseChange(.truth, "a state that isn't there") { $0.asked[9].state = "ok" },
        PromiseChange(.truth, "a field that says something else") { $0.asked[9].fieldState = "stale" },
        PromiseChange(.truth, "stale without a reason") { $0.asked[9].state = "stale" },
        PromiseChange(nil, "no labels on an error before anything was held") {
            $0.change(0..<1_000) { asked in
                asked.status = 503
                asked.state = nil
                asked.source = nil
            }
        },
    ]

    private static let truth = [
        PromiseChange(nil, "fresh in the second of fresh-until") { run in
            run.change(6_000..<6_250) { $0.freshUntil = 5_000 }
        },
        PromiseChange(.truth, "fresh after it by the clock") { run in
            run.change(6_250..<6_500) { $0.freshUntil = 5_000 }
        },
        PromiseChange(.truth, "fresh after it by its own age") { run in
            run.change(6_000..<6_250) { $0.age = 6 }
        },
        PromiseChange(nil, "an age that is cut") { run in
            run.change(7_750..<8_000) { $0.age = 0 }
        },
        PromiseChange(.truth, "an age that is too small") { run in
            run.freeze(8_000..<10_000)
            run.change(9_000..<10_000) { $0.age = 0 }
        },
        PromiseChange(.truth, "served beyond the hard limit") { run in
            run.freeze(8_000..<20_000)
            run.change(8_000..<20_000) { $0.window = 7 }
        },
        PromiseChange(nil, "served within it") { run in
            run.freeze(8_000..<20_000)
            run.change(8_000..<20_000) { $0.window = 9 }
        },
    ]

    private static let latency = [
        PromiseChange(.latency, "no answer") { $0.asked[20].status = nil },
        PromiseChange(.latency, "an error while rates are held") { $0.asked[20].status = 503 },
        PromiseChange(nil, "an error before") { $0.asked[0].status = 503 },
        PromiseChange(nil, "one slow answer in a hundred") { $0.asked[20].latency = .milliseconds(600) },
        PromiseChange(.latency, "two of them") {
            $0.asked[20].latency = .milliseconds(600)
            $0.asked[21].latency = .milliseconds(600)
        },
        PromiseChange(.latency, "one of the few during a fault") {
            $0.terms.faults = [PromiseRun.range(2_000, 4_000)]
            $0.asked[20].latency = .milliseconds(501)
        },
        PromiseChange(.latency, "nothing asked during a fault") {
            $0.terms.faults = [PromiseRun.range(2_001, 2_200)]
        },
        PromiseChange(nil, "slow ones where the process is as slow without rates") { run in
            run.change(4_000..<6_000) {
                $0.latency = .milliseconds(900)
                $0.idle = .milliseconds(500)
            }
        },
        PromiseChange(.latency, "slow ones that are slower than that") { run in
            run.change(4_000..<6_000) {
                $0.latency = .milliseconds(1_001)
                $0.idle = .milliseconds(500)
            }
        },
        PromiseChange(nil, "slow ones before the first rates") { run in
            run.change(0..<1_000, of: 0) {
                $0.status = 503
                $0.latency = .seconds(2)
            }
        },
        PromiseChange(nil, "no answer of a process that was stopped") { run in
            run.terms.asleep = [1: [PromiseRun.range(4_200, 6_000)]]
            run.change(4_000..<6_000, of: 1) {
                $0.status = nil
                $0.latency = .milliseconds(300)
            }
        },
        PromiseChange(.latency, "no answer after it went on") { run in
            run.terms.asleep = [1: [PromiseRun.range(4_200, 5_000)]]
            run.change(4_000..<6_000, of: 1) {
                $0.status = nil
                $0.latency = .milliseconds(300)
            }
        },
        PromiseChange(nil, "no answer of one that was ended") { run in
            run.terms.ends = [1: PromiseRun.start + 10_000]
            run.change(9_999..<20_000, of: 1) { $0.status = nil }
        },
    ]

    private static let order = [
        PromiseChange(.order, "a data time that goes back") { run in
            run.change(6_000..<6_250, of: 0) { $0.dataTime = 1_000 }
        },
        PromiseChange(nil, "another class with an older one") { run in
            run.change(6_000..<20_000, of: 0) {
                $0.source = "ecb_daily"; $0.dataTime = 1_000
            }
        },
        PromiseChange(.order, "a snapshot that goes back") { run in
            run.change(6_250..<6_500, of: 0) { $0.snapshot = PromiseRun.id(4_000) }
        },
        PromiseChange(nil, "a second behind the others") { $0.freeze(6_000..<7_250, of: 1) },
        PromiseChange(.order, "longer than a second behind") { $0.freeze(6_000..<7_500, of: 1) },
        PromiseChange(nil, "longer while it was cut off") {
            $0.freeze(6_000..<9_000, of: 1)
            $0.terms.away = [PromiseRun.range(6_000, 8_000)]
        },
        PromiseChange(.order, "longer than a second after it is back") {
            $0.freeze(6_000..<9_500, of: 1)
            $0.terms.away = [PromiseRun.range(6_000, 8_000)]
        },
    ]

    private static let cooldown = [
        PromiseChange(.cooldown, "a call in a pause") {
            $0.terms.cooldowns = [PromiseRun.range(4_001, 6_101)]
        },
        PromiseChange(nil, "a call at its end") { $0.terms.cooldowns = [PromiseRun.range(4_001, 6_100)] },
        PromiseChange(.cooldown, "an end that comes nearer") { run in
            run.change(4_000..<5_000, of: 0) { $0.cooldownUntil = 9_000 }
            run.change(5_000..<6_000, of: 0) { $0.cooldownUntil = 7_000 }
        },
        PromiseChange(nil, "an end that was rounded, and one that moves away") { run in
            run.change(4_000..<5_000, of: 0) { $0.cooldownUntil = 9_000 }
            run.change(5_000..<6_000, of: 0) { $0.cooldownUntil = 8_000 }
            run.change(6_000..<7_000, of: 0) { $0.cooldownUntil = 12_000 }
        },
    ]

    private static let recovery = [
        PromiseChange(nil, "fresh an interval and five seconds after a fault") { run in
            run.terms.faults = [PromiseRun.range(4_000, 5_000)]
            run.freeze(4_000..<12_000)
        },
        PromiseChange(.recovery, "not yet") { run in
            run.terms.faults = [PromiseRun.range(4_000, 5_000)]
            run.freeze(4_000..<12_500)
        },
        PromiseChange(.recovery, "never on one of them") { run in
            run.terms.lag = .seconds(60)
            run.terms.faults = [PromiseRun.range(4_000, 5_000)]
            run.freeze(4_000..<20_000, of: 1)
        },
        PromiseChange(.recovery, "stale again later") { run in
            run.terms.faults = [PromiseRun.range(4_000, 5_000)]
            run.change(14_000..<14_250) {
                $0.state = "stale"
                $0.reason = "paced"
            }
        },
        PromiseChange(nil, "later, as a further fault has begun") { run in
            run.terms.faults = [PromiseRun.range(4_000, 5_000), PromiseRun.range(8_000, 9_000)]
            run.freeze(4_000..<16_000)
        },
        PromiseChange(nil, "later, as a fault that began before goes on") { run in
            run.terms.faults = [PromiseRun.range(4_000, 5_000), PromiseRun.range(3_000, 9_000)]
            run.freeze(4_000..<16_000)
        },
        PromiseChange(nil, "later, as upstream has slowed the fleet down") { run in
            run.terms.faults = [PromiseRun.range(4_000, 5_000)]
            run.terms.slowInterval = .seconds(4)
            run.freeze(4_000..<14_000)
        },
        PromiseChange(nil, "later, as upstream has asked for a pause") { run in
            run.calls.removeAll { (4_001..<10_000).contains($0.received - PromiseRun.start) }
            run.terms.faults = [PromiseRun.range(4_000, 5_000)]
            run.terms.cooldowns = [PromiseRun.range(4_001, 10_000)]
            run.freeze(4_000..<14_000)
        },
        PromiseChange(.recovery, "not after the pause either") { run in
            run.calls.removeAll { (4_001..<10_000).contains($0.received - PromiseRun.start) }
            run.terms.cooldowns = [PromiseRun.range(4_001, 10_000)]
            run.freeze(4_000..<18_000)
        },
        PromiseChange(nil, "one that came only with the next fault") { run in
            run.terms.faults = [PromiseRun.range(2_000, 3_000), PromiseRun.range(11_000, 12_000)]
            run.asked.removeAll { $0.gateway == 1 && $0.at < 11_500 }
        },
        PromiseChange(.recovery, "one that is asked no more") { run in
            run.terms.faults = [PromiseRun.range(2_000, 3_000)]
            run.asked.removeAll { $0.gateway == 1 && $0.at >= 2_500 }
        },
        PromiseChange(nil, "one that was ended needn't be") { run in
            run.terms.faults = [PromiseRun.range(4_000, 5_000)]
            run.terms.ends = [1: PromiseRun.start + 4_000]
            run.change(3_999..<20_000, of: 1) { $0.status = nil }
        },
    ]
}
