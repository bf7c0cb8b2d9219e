import Testing

@testable import CacheLayer

@Suite("What upstream's answers mean")
struct UpstreamVerdictTests {
    /// 2026-03-10T14:00:00Z.
    private let now = UnixMilliseconds(1_773_151_200_000)
    private let usd = RefreshBench.usd
    private let year = Resource.year(base: .sample("USD"), year: 2_025)

    @Test("a rate limit by its code is a short pause with any status", arguments: [200, 403, 429, 500, 503])
    func rateLimited(status: Int) {
        for code in [UpstreamProblem.rateLimited, .ipRateLimited] {
            let pause = pause(LimitAnswer(status: status, code: code, retryAfter: "20"))
            #expect(pause?.scope == .short && pause?.wait == .seconds(20) && pause?.reason == .rateLimited)
        }
    }

    @Test("a 429 without a code, or with one that names no limit, is a short pause as well")
    func plain429() {
        for code in [nil, UpstreamProblem.dataUnavailable, .invalidRequest] {
            let pause = pause(LimitAnswer(status: 429, code: code, retryAfter: "20"))
            #expect(pause?.scope == .short && pause?.wait == .seconds(20) && pause?.reason == .rateLimited)
        }
    }

    @Test("a used-up quota is a month's pause with any status", arguments: [200, 402, 403, 429, 503])
    func quotaExceeded(status: Int) {
        let pause = pause(LimitAnswer(status: status, code: .quotaExceeded, retryAfter: "20"))
        #expect(pause?.scope == .month && pause?.reason == .quotaExceeded)
    }

    @Test("a refused key is the key's pause with any status", arguments: [200, 400, 401, 403, 429, 503])
    func refusedKey(status: Int) {
        for code in [UpstreamProblem.invalidAPIKey, .invalidKey, .keyRevoked] {
            let pause = pause(LimitAnswer(status: status, code: code))
            #expect(pause?.scope == .key && pause?.reason == .keyRejected)
        }
    }

    @Test("a 401 or 403 without a code, and an upstream that can't check keys, only deny this call")
    func denied() {
        #expect(verdict(LimitAnswer(status: 401)) == .denied(.unauthorized))
        #expect(verdict(LimitAnswer(status: 403, retryAfter: "20")) == .denied(.forbidden))
        for status in [200, 401, 403, 503] {
            let answer = LimitAnswer(status: status, code: .authUnavailable, retryAfter: "20")
            #expect(verdict(answer) == .denied(.unchecked), "\(status)")
        }
    }

    @Test("what the plan lacks is refused: the code with any status, and a 402 without one")
    func refused() {
        for resource in [usd, year, .currencies, .account] {
            for status in [200, 401, 402, 403, 404] {
                #expect(verdict(LimitAnswer(status: status, code: .forbidden), of: resource) == .refused)
            }
            #expect(verdict(LimitAnswer(status: 402), of: resource) == .refused)
        }
    }

    @Test(
        "a 4xx whose code faults the request refuses the resource, and of history only that one fetch fails")
    func faultedRequest() {
        for code in [
            UpstreamProblem.invalidPair, .unsupportedBase, .missingParameter, .badDate, .invalidAmount,
            .invalidRequest, .noDataForDate,
        ] {
            for status in [400, 401, 403, 404, 422] {
                let answer = LimitAnswer(status: status, code: code)
                #expect(verdict(answer) == .refused, "\(status) \(code)")
                #expect(verdict(answer, of: year) == .failed, "\(status) \(code)")
            }
            #expect(verdict(LimitAnswer(status: 200, code: code)) == .failed)
            #expect(verdict(LimitAnswer(status: 500, code: code)) == .failed)
        }
    }

    @Test("a 503 with a wait is a short pause, one without a failed fetch")
    func unavailable() {
        for code in [nil, UpstreamProblem.serviceUnavailable, .liveUnavailable, .quotaUnavailable] {
            let pause = pause(LimitAnswer(status: 503, code: code, retryAfter: "20"))
            #expect(pause?.scope == .short && pause?.wait == .seconds(20) && pause?.reason == .unavailable)
            for retryAfter in [nil, "-1", "soon"] {
                #expect(verdict(LimitAnswer(status: 503, code: code, retryAfter: retryAfter)) == .failed)
            }
        }
    }

    @Test(
        "all other errors are failed fetches, whatever their fields say",
        arguments: [302, 404, 418, 500, 502, 504])
    func failed(status: Int) {
        let fields = LimitAnswer(status: status, retryAfter: "120", reset: "60", remaining: "0")
        #expect(verdict(fields) == .failed)
        for code in [UpstreamProblem.internalError, .dataUnavailable, .sourceUnavailable] {
            #expect(verdict(LimitAnswer(status: status, code: code, retryAfter: "120")) == .failed)
        }
    }

    @Test("a success without a code is for its body to decide, one that names an error is a failed fetch")
    func ok() {
        #expect(verdict(LimitAnswer(status: 200, retryAfter: "120", remaining: "0")) == .ok)
        #expect(verdict(LimitAnswer(status: 200, code: .dataUnavailable)) == .failed)
    }

    private func verdict(_ answer: LimitAnswer, of resource: Resource? = nil) -> UpstreamVerdict {
        UpstreamVerdict(answer, of: resource ?? usd, now: now)
    }

    private func pause(_ answer: LimitAnswer) -> CooldownReading? {
        if case .pause(let pause) = verdict(answer) { pause } else { nil }
    }
}
