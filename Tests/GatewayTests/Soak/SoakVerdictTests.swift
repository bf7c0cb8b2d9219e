import Foundation
import TestSupport
import Testing

@Suite("The verdict on a long run")
struct SoakVerdictTests {
    /// Forty samples of a run in which nothing changes.
    private static func samples(_ change: (Int, inout SoakSample) -> Void = { _, _ in }) -> [SoakSample] {
        (0..<40).map { number in
            var sample = SoakSample(
                at: .seconds(5 * number),
                processes: [.init(residentBytes: 40 << 20, descriptors: 90, threads: 9)], redisKeys: 120,
                redisBytes: 4 << 20, p50: .microseconds(400), p99: .milliseconds(3), answers: 1_000, wrong: 0,
                calls: 5, events: 100)
            change(number, &sample)
            return sample
        }
    }

    @Test("is good where nothing grows, and where it grows in the first quarter only")
    func steady() {
        #expect(SoakVerdict(Self.samples()).isKept)
        let filling = Self.samples { number, sample in
            if number < 10 { sample.processes[0].residentBytes = (30 + number) << 20 }
        }
        #expect(SoakVerdict(filling).isKept)
    }

    @Test("finds each figure that grows beyond its bound", arguments: SoakSeries.allCases)
    func grows(series: SoakSeries) {
        let samples = Self.samples { number, sample in
            switch series {
            case .residentMemory: sample.processes[0].residentBytes += number * 300_000
            case .descriptors: sample.processes[0].descriptors += number / 3
            case .threads: sample.processes[0].threads += number / 5
            case .redisKeys: sample.redisKeys += number * 2
            case .redisMemory: sample.redisBytes += number * 100_000
            case .p50: sample.p50 += .microseconds(number * 200)
            case .p99: sample.p99 += .milliseconds(number * number / 4)
            }
        }
        let verdict = SoakVerdict(samples)
        #expect(verdict.lines.filter { !$0.isKept }.map(\.series) == [series])
        #expect(!verdict.isKept)
    }

    @Test("finds a wrong answer, and time without refreshes or events, but not while a fault is there")
    func silence() {
        func verdict(_ fault: String?, _ change: (inout SoakSample) -> Void) -> SoakVerdict {
            SoakVerdict(
                Self.samples { number, sample in
                    guard number == 20 else { return }
                    sample.fault = fault
                    change(&sample)
                })
        }
        #expect(!verdict(nil) { $0.wrong = 1 }.isKept)
        #expect(!verdict(nil) { $0.calls = 0 }.isKept)
        #expect(!verdict(nil) { $0.events = 0 }.isKept)
        #expect(verdict("flush") { ($0.wrong, $0.calls, $0.events) = (1, 0, 0) }.isKept)
    }

    @Test("says nothing good of a run that is too short")
    func short() {
        #expect(!SoakVerdict(Array(Self.samples().prefix(7))).isKept)
    }

    @Test("has a fault a minute, the same for the same seed, each kind before any comes again")
    func plan() {
        let plan = SoakPlan(seed: 3, minutes: SoakPlan.kinds.count, gateways: 3)
        #expect(plan == SoakPlan(seed: 3, minutes: SoakPlan.kinds.count, gateways: 3))
        #expect(plan != SoakPlan(seed: 4, minutes: SoakPlan.kinds.count, gateways: 3))
        #expect(Set(plan.steps.map(\.kind)) == Set(SoakPlan.kinds))
    }

    @Test("draws each figure and each fault")
    func picture() {
        let samples = Self.samples { number, sample in if number == 7 { sample.fault = "flush" } }
        let text = SoakPicture(samples).text
        #expect(text.hasPrefix("<svg ") && text.hasSuffix("</svg>\n"))
        for series in SoakSeries.allCases { #expect(text.contains(series.rawValue)) }
        #expect(text.components(separatedBy: "<polyline").count == SoakSeries.allCases.count + 1)
        #expect(text.components(separatedBy: "fill=\"#ddd\"").count == SoakSeries.allCases.count + 1)
    }
}
