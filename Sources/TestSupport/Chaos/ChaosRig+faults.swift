import EventLoop
import Foundation
import UpstreamSimulator

extension ChaosRig {
    /// Does one fault, from its beginning to its end.
    ///
    /// - Returns: nil where it could not be done, and so nothing has happened.
    func strike(_ step: ChaosStep) async throws -> ChaosEvent? {
        let start = Self.now
        var note = ""
        if let gateway = step.gateway {
            note = try await strike(step, at: gateway)
        } else if step.kind.isUpstreams {
            try await strikeUpstream(step)
        } else {
            guard try await strikeStore(step) else { return nil }
        }
        return ChaosEvent(step, start..<max(start + 1, Self.now), note: note)
    }

    private func strike(_ step: ChaosStep, at place: Int) async throws -> String {
        switch step.kind {
        case .kill:
            end(place, by: SIGKILL)
            try await Task.sleep(for: step.length)
            try await occupy(place)
        case .terminate, .skew:
            let gateway = end(place, by: SIGTERM)
            let status = await gateway.ended(within: .seconds(12))
            guard status == 0 else { return "SIGTERM ended with \(status.map(String.init) ?? "nothing")" }
            // A quarter of an hour at the most, to either side.
            try await occupy(place, skew: step.kind == .skew ? (step.amount - 500) * 9 / 5 : 0)
        case .pause: try await sleepProcess(place, step.length)
        case .cutOff:
            await proxies[place].set(.hang)
            try await Task.sleep(for: step.length)
            await proxies[place].set(.none)
            await proxies[place].reset()
        case .refuse:
            await proxies[place].set(.closed)
            try await Task.sleep(for: step.length)
            await proxies[place].set(.none)
        case .slowLink:
            // Below a command's limit and above it.
            let latency = Duration.milliseconds(20 + step.amount / 2)
            for direction in TCPProxyDirection.allCases {
                await proxies[place].set(latency: latency, direction)
            }
            try await Task.sleep(for: step.length)
            for direction in TCPProxyDirection.allCases {
                await proxies[place].set(latency: .zero, direction)
            }
        case .breakLink:
            let direction = step.amount % 2 == 0 ? TCPProxyDirection.toServer : .toClient
            await proxies[place].set(allowance: 200 + step.amount * 10, direction)
            try await Task.sleep(for: step.length)
            await proxies[place].set(allowance: nil, direction)
        case .lateReport: return try await delayReport(step, at: place)
        case .lateStart: return try await delayStart(step, at: place)
        case .limitedStart: return try await limitStart(step, at: place)
        case .burst: return try await burst(step, at: place)
        default: preconditionFailure("\(step.kind) strikes no gateway")
        }
        return ""
    }

    /// Ends the process of a place.
    @discardableResult
    private func end(_ place: Int, by number: Int32) -> GatewayProcess {
        state.withLock { state in
            let old = state.places[place]
            state.ends[old.number] = Self.now
            old.gateway.signal(number)
            return old.gateway
        }
    }

    private func sleepProcess(_ place: Int, _ length: Duration) async throws {
        let one = self.place(place)
        let from = Self.now
        one.gateway.signal(SIGSTOP)
        try await Task.sleep(for: length)
        one.gateway.signal(SIGCONT)
        wake(one, from: from)
    }

    private func wake(_ one: Place, from: Int64) {
        state.withLock { $0.asleep[one.number, default: []].append(from..<Self.now + 1) }
    }

    /// What only a report of a fetched answer contains; also of a build whose scripts aren't ours.
    private static let reported = "\r\nfetched\r\n"
    /// How long a fault waits until it is this place's turn to fetch.
    private static let turn = Duration.seconds(5)

    private func isHeld(_ place: Int, within limit: Duration) async -> Bool {
        await eventually(within: limit, step: .milliseconds(5)) { proxies[place].holding > 0 }
    }

    /// Holds a report on its way to Redis, and its sender asleep, so that it doesn't give up: Redis gets it after others have
    /// fetched.
    private func delayReport(_ step: ChaosStep, at place: Int) async throws -> String {
        await proxies[place].hold(.toServer, after: Self.reported)
        guard await isHeld(place, within: Self.turn) else {
            await proxies[place].release()
            return "no report to hold"
        }
        let one = self.place(place)
        let from = Self.now
        one.gateway.signal(SIGSTOP)
        try await Task.sleep(for: step.length - Self.turn)
        await proxies[place].release()
        try await Task.sleep(for: .milliseconds(50))
        one.gateway.signal(SIGCONT)
        wake(one, from: from)
        return "held for \(Self.now - from) ms"
    }

    /// Stops a process with its grant on the way, so that it may no more call, and lets no answer to the word of that come in
    /// time: it is said again.
    private func delayStart(_ step: ChaosStep, at place: Int) async throws -> String {
        let proxy = proxies[place]
        guard await isGranted(place) else {
            await proxy.release()
            return "no grant to hold"
        }
        let gateway = end(place, by: SIGTERM)
        try await Task.sleep(for: .milliseconds(30))
        // What is held comes now, what follows it too late for a command.
        await proxy.set(latency: .milliseconds(300), .toClient)
        await proxy.release()
        let status = await gateway.ended(within: .seconds(12))
        await proxy.set(latency: .zero, .toClient)
        try await occupy(place)
        guard status == 0 else { return "SIGTERM ended with \(status.map(String.init) ?? "nothing")" }
        return "stopped with a grant on its way"
    }

    /// Holds what Redis answers to this place until a grant is among it.
    private func isGranted(_ place: Int) async -> Bool {
        let proxy = proxies[place]
        let holder = ":\(self.place(place).gateway.process.identifier)\""
        return await eventually(within: Self.turn, step: .milliseconds(3)) {
            if proxy.holding == 0 {
                await proxy.hold(.toClient, after: begin)
                return false
            }
            // Met on its way to Redis: it is a moment until it has been granted, if it is.
            let isIts = await eventually(within: .milliseconds(80), step: .milliseconds(3)) {
                (try? fleet.control())?["flights"]?.contains(holder) == true
            }
            if !isIts { await proxy.release() }
            return isIts
        }
    }

    /// Lets upstream limit another one while a grant is on its way, so that its holder may no more call, and the word of that
    /// be said again and again.
    private func limitStart(_ step: ChaosStep, at place: Int) async throws -> String {
        let proxy = proxies[place]
        guard await isGranted(place) else {
            await proxy.release()
            return "no grant to hold"
        }
        let limited = fleet.simulator.counts.byStatus[429] ?? 0
        fleet.simulator.script(.status(429, headers: [("Retry-After", "\(2 + step.amount % 3)")]))
        let other = self.place((place + 1) % places.count).gateway
        for base in ["USD", "GBP"] where fleet.simulator.counts.byStatus[429] ?? 0 == limited {
            _ = try? await other.ask(
                "POST", "/admin/refresh/\(base)?force=true", fields: ["Authorization: Bearer \(Self.admin)"],
                within: .milliseconds(300))
        }
        guard fleet.simulator.counts.byStatus[429] ?? 0 > limited else {
            await proxy.release()
            return "nobody was limited"
        }
        try await Task.sleep(for: .milliseconds(50))
        await proxy.pass(thenHold: .toClient, after: "\r\nunsent\r\n")
        let isTold = await isHeld(place, within: .milliseconds(1_500))
        if isTold { try await Task.sleep(for: .milliseconds(800)) }
        await proxy.release()
        return isTold ? "no call was made, and this was said again" : "a call was made"
    }

    /// Clients for what isn't held and for what nobody has, and some who leave before they have an answer.
    private func burst(_ step: ChaosStep, at place: Int) async throws -> String {
        let targets = [
            "/v1/latest/USD?symbols=JPY", "/v1/latest/GBP", "/v1/rate/CHF-SEK", "/v1/convert/USD/EUR/12.50",
            "/v1/latest/ZZZ", "/v1/latest/EUR?symbols=USD,USD,usd", "/v1/convert?from=GBP&to=JPY&amount=1",
        ]
        let port = self.place(place).gateway.port
        let clients = (0..<50 + step.amount / 4).map { number in
            CrowdClient(
                port: port, requests: [GatewayProcess.request("GET", targets[number % targets.count])])
        }
        let answers = try? await Crowd.ask(clients, within: .milliseconds(500 + step.amount))
        return "\(answers?.count ?? 0) of \(clients.count) were answered"
    }

    // MARK: - Redis

    /// Whether it could be done: not while there is no master.
    private func strikeStore(_ step: ChaosStep) async throws -> Bool {
        let store = fleet.store
        switch step.kind {
        case .pauseStore:
            store.pause()
            try await Task.sleep(for: step.length)
            store.resume()
        case .killStore: try await killStore(store, step)
        case .failOver: return try await failOver(store)
        case .flush: return (try? store.cli("FLUSHALL")) == "OK"
        case .loseControl: return (try? store.cli("DEL", fleet.prefix + "control:2")) == "1"
        case .evict: return (try? store.cli("DEL", fleet.prefix + "snap:latest:EUR")) == "1"
        case .scramble:
            let garbage = String(repeating: "\u{0}garbage", count: 1 + step.amount)
            return (try? store.cli("HSET", fleet.prefix + "snap:latest:EUR", "token", garbage)) != nil
        default: preconditionFailure("\(step.kind) strikes no store")
        }
        return true
    }

    private func killStore(_ store: RedisServer, _ step: ChaosStep) async throws {
        store.stop()
        guard let trio else {
            try await Task.sleep(for: step.length)
            return try await store.restart()
        }
        // It stays down: whoever comes back as a master of nothing is another matter.
        _ = await eventually(within: .seconds(20)) { trio.servers.contains { $0.isMaster } }
    }

    private func failOver(_ store: RedisServer) async throws -> Bool {
        guard let trio, trio.failOver() else { return false }
        return await eventually(within: .seconds(20)) {
            !store.isMaster && trio.servers.contains { $0 !== store && $0.isMaster }
        }
    }

    // MARK: - Upstream

    private func strikeUpstream(_ step: ChaosStep) async throws {
        if step.kind == .shiftUpstream {
            // Behind by a minute, so that all it says is older; or so far ahead that nothing is believed.
            let shift = Duration.seconds(step.amount % 2 == 0 || plan.settings.safeguard != nil ? -60 : 600)
            fleet.simulator.advanceClock(by: shift)
            try await Task.sleep(for: step.length)
            return fleet.simulator.advanceClock(by: .zero - shift)
        }
        for fault in faults(step) { fleet.simulator.script(fault) }
        try await Task.sleep(for: step.length)
        fleet.simulator.clearScript()
    }

    private func faults(_ step: ChaosStep) -> [Fault] {
        var fault = Fault(times: nil)
        switch step.kind {
        // Within the call's limit of two seconds, and beyond it.
        case .slowUpstream: fault.delay = .milliseconds(800 + step.amount * 3 / 2)
        case .hangUpstream: fault.ending = .hang
        case .resetUpstream: fault.ending = step.amount % 2 == 0 ? .reset : .close
        case .failUpstream: fault.status = [500, 502, 503, 504][step.amount % 4]
        case .limitUpstream: return limits(step)
        case .garbleUpstream: return [Self.garbage(step.amount)]
        default: preconditionFailure("\(step.kind) strikes no upstream")
        }
        return [fault]
    }

    private func limits(_ step: ChaosStep) -> [Fault] {
        func limit(_ seconds: Int) -> Fault { .status(429, headers: [("Retry-After", "\(seconds)")]) }
        // Longer than any pause that would be worked out without asking upstream.
        if plan.settings.safeguard == .cooldown { return [limit(15)] }
        guard plan.settings.safeguard == .extendOnly else { return [limit(1 + step.amount % 6)] }
        // The long one is told at once, the short one, under way at the same time, a second later.
        var late = limit(3)
        late.delay = .seconds(1)
        late.match = "/v1/latest/EUR"
        return [late, limit(15)]
    }

    /// What is no table: HTML, half a body, an error in a success's place, no number, another base, too much.
    private static func garbage(_ number: Int) -> Fault {
        var fault = Fault(times: nil)
        switch number % 7 {
        case 0:
            fault = .status(
                200, body: "<html>busy</html>", headers: [("Content-Type", "text/html")], times: nil)
        case 1: fault.truncate = 100 + number
        case 2: fault = .status(200, body: #"{"result":"error","code":"server_error"}"#, times: nil)
        case 3: fault.overrides.fields["rates"] = #"{"USD":NaN}"#
        case 4: fault.overrides.fields["base"] = #""XXX""#
        case 5: fault.gzipBomb = 20_000_000
        default: fault.raw = Array("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n\u{FEFF}{\"a\":".utf8)
        }
        return fault
    }
}
