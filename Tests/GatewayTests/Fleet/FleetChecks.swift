import TestSupport
import Testing
import UpstreamSimulator

/// What holds in every run, whatever the fault was: checked from upstream's own call log.
struct FleetChecks {
    let fleet: Fleet
    /// The ledger before the first call.
    let firstUsed: Int

    /// Reads the ledger of a fresh fleet, best in its grace.
    ///
    /// A reservation comes before its call: the least difference of several looks is the ledger's beginning.
    init(_ fleet: Fleet) async throws {
        self.fleet = fleet
        var least: Int?
        var looks = 0
        _ = try await eventually(within: .seconds(10)) {
            let calls = fleet.calls
            guard let used = try fleet.used() else { return false }
            least = min(least ?? used, used - calls)
            looks += 1
            return calls == 0 || looks >= 20
        }
        firstUsed = try #require(least, "no gateway has made the control")
    }

    /// P1: what upstream has seen was in the ledger, with at most `spare` reservations beyond it, and one call at a time.
    func spend(
        calls: Int? = nil, spare: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var made = fleet.calls
        if let calls { #expect(made == calls, sourceLocation: sourceLocation) }
        var used = 0
        // A reservation comes a moment before its call: it may be seen alone, and the next look finds both.
        let isLevel = try await eventually(within: .seconds(2)) {
            made = fleet.calls
            used = (try fleet.used() ?? 0) - firstUsed
            return used < made || used <= made + spare
        }
        #expect(used >= made, "a call that the ledger doesn't know", sourceLocation: sourceLocation)
        #expect(isLevel, "calls \(made), ledger \(used)", sourceLocation: sourceLocation)
        #expect(fleet.simulator.counts.maxInFlight <= 1, sourceLocation: sourceLocation)
    }

    /// P1: what upstream has seen was in the ledger, also after a loss that added to it, or a clock that ended the month.
    func covered(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let calls = fleet.calls
        let used = try #require(try fleet.used(), sourceLocation: sourceLocation) - firstUsed
        let booked = used >= 0 ? used : try fleet.booked()
        #expect(booked >= calls, sourceLocation: sourceLocation)
    }

    /// P1: successive calls are at least an interval apart, but for so much of a measurement's error.
    func intervals(
        _ interval: Duration, tolerance: Duration = .milliseconds(100),
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for distance in callDistances() {
            #expect(distance >= interval - tolerance, sourceLocation: sourceLocation)
        }
    }

    /// From each call to the next, by their arrival upstream.
    func callDistances() -> [Duration] {
        let times = fleet.simulator.log.filter { !$0.target.hasPrefix("/v1/account") }.map(\.received)
        return zip(times, times.dropFirst()).map { .milliseconds($1 - $0) }
    }

    /// P1 to P6 of all that was answered under load, of all of upstream's log, and of the ledger as it is now.
    func promises(
        _ terms: PromiseTerms, _ samples: [SteadyLoad.Sample],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        // The log is read first: the ledger may only be ahead of it.
        let calls = fleet.simulator.log.map { PromiseCall($0) }
        let used = try #require(try fleet.used(), sourceLocation: sourceLocation)
        let check = PromiseCheck(
            terms, answers: samples, calls: calls, ledger: firstUsed...max(firstUsed, used))
        #expect(!samples.isEmpty && !calls.isEmpty, "nothing to check", sourceLocation: sourceLocation)
        Self.holds(check.violations(), of: samples.count, sourceLocation: sourceLocation)
    }

    /// P2, P4: what every answer under load says holds together: labels are true, and time doesn't go back on any instance.
    static func truth(
        _ samples: [SteadyLoad.Sample], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        // Cut off or not: how far instances differ is for the tests that know.
        let terms = PromiseTerms(interval: .zero) { $0.lag = .seconds(86_400) }
        let check = PromiseCheck(terms, answers: samples)
        holds(check.truth() + check.order(), of: samples.count, sourceLocation: sourceLocation)
    }

    /// Nothing that was promised has been broken; what was is told once with its number.
    static func holds(
        _ violations: [PromiseViolation], of count: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for (promise, all) in Dictionary(grouping: violations, by: \.promise) {
            let text = all.prefix(2).map(\.description).joined(separator: "; ")
            Issue.record(
                "\(promise.rawValue): \(all.count) violations in \(count) answers: \(text)",
                sourceLocation: sourceLocation)
        }
    }
}

extension GatewayProcess {
    /// An operator's refresh.
    func refresh(
        _ base: String = "EUR", force: Bool = true, within limit: Duration = .seconds(25)
    ) async throws -> RawHTTPClient.Answer {
        try await ask(
            "POST", "/admin/refresh/\(base)" + (force ? "?force=true" : ""),
            fields: ["Authorization: Bearer \(FleetOptions.adminToken)"], within: limit)
    }
}
