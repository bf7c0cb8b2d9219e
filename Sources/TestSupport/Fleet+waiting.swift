import UpstreamSimulator

extension Fleet {
    /// Waits until every running gateway answers with fresh rates.
    package func isWarm(within limit: Duration = .seconds(15)) async -> Bool {
        for gateway in gateways where gateway.process.status == nil {
            let isFresh = await eventually(within: limit, step: .milliseconds(50)) {
                let reading = try? await gateway.rates()
                return reading?.status == 200 && reading?.state == "fresh"
            }
            guard isFresh else { return false }
        }
        return true
    }

    /// Waits until no call is under way and none is to be settled.
    package func isQuiet(within limit: Duration = .seconds(5)) async throws -> Bool {
        try await eventually(within: limit) {
            try simulator.counts.inFlight == 0 && control()["flights"] == nil
        }
    }

    /// Waits until upstream has seen so many calls.
    package func calls(atLeast count: Int, within limit: Duration = .seconds(15)) async -> Bool {
        await eventually(within: limit) { calls >= count }
    }
}
