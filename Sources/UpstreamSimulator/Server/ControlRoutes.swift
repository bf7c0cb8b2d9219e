/// Answers `/control/…`: what was called, what goes wrong next, and what time it is.
///
/// Never a call of the upstream.
enum ControlRoutes {
    static func answer(
        _ request: UpstreamRequest, state: inout SimulatorState, reading: Int64
    ) -> PlannedAnswer {
        do {
            let body = try carryOut(request, &state, reading)
            guard let body else { return refusal(404, "there is no such control") }
            return PlannedAnswer(status: 200, body: body)
        } catch {
            return refusal(400, error.message)
        }
    }

    private static func refusal(_ status: Int, _ message: String) -> PlannedAnswer {
        PlannedAnswer(status: status, body: JSONText.object([("error", JSONText.quoted(message))]))
    }

    private static func carryOut(
        _ request: UpstreamRequest, _ state: inout SimulatorState, _ reading: Int64
    ) throws(ControlError) -> String? {
        switch (request.method, request.path) {
        case ("GET", "/control/log"): return try log(request, state)
        case ("GET", "/control/counts"): return state.log.counts.json
        case ("GET", "/control/script"): return script(state)
        case ("POST", "/control/script"):
            let faults = try Fault.list(body: request.body)
            if request.parameter("replace") == "true" { state.script.clear() }
            state.script.append(faults)
            return script(state)
        case ("DELETE", "/control/script"):
            state.script.clear()
            return script(state)
        case ("GET", "/control/clock"): return clock(state, reading)
        case ("POST", "/control/clock"):
            try moveClock(request, &state, reading)
            return clock(state, reading)
        case ("POST", "/control/reset"):
            state.reset()
            return state.log.counts.json
        default: return nil
        }
    }

    private static func log(_ request: UpstreamRequest, _ state: SimulatorState) throws(ControlError)
        -> String
    {
        var entries = state.log.entries[...]
        if let text = request.parameter("after") {
            guard let number = Int(text) else { throw ControlError("after must be a whole number") }
            entries = entries.drop { $0.number <= number }
        }
        return JSONText.object([
            ("calls", String(state.log.counts.calls)), ("entries", JSONText.array(entries.map(\.json))),
        ])
    }

    private static func script(_ state: SimulatorState) -> String {
        let left = state.script.faults.map { fault in
            JSONText.object([
                ("match", fault.match.map(JSONText.quoted) ?? "null"),
                ("times", fault.times.map(String.init) ?? "\"always\""),
            ])
        }
        return JSONText.object([("faults", JSONText.array(left))])
    }

    private static func clock(_ state: SimulatorState, _ reading: Int64) -> String {
        let now = state.now(reading: reading)
        let fix = state.latestFix(reading: reading)
        return JSONText.object([
            ("now", JSONText.quoted(now.text)), ("ms", String(now.milliseconds)),
            ("frozen", state.configuration.isFrozen ? "true" : "false"),
            ("shift_weeks", String(state.series.shiftWeeks)),
            ("shown_day", fix.map { JSONText.quoted($0.shownDay.text) } ?? "null"),
            ("true_day", fix.map { JSONText.quoted($0.trueDay.text) } ?? "null"),
        ])
    }

    private static func moveClock(
        _ request: UpstreamRequest, _ state: inout SimulatorState, _ reading: Int64
    ) throws(ControlError) {
        var object = try ControlObject(body: request.body)
        let now = try object.text("now")
        let advance = try object.integer("advance")
        try object.finish()
        switch (now, advance) {
        case (let now?, nil):
            guard let time = SimulatedTime(parsing: now) else {
                throw ControlError("now must be a UTC time as 2026-06-16T10:00:00Z")
            }
            state.setClock(time, reading: reading)
        case (nil, let milliseconds?): state.advanceClock(by: Int64(milliseconds), reading: reading)
        default: throw ControlError("either now or advance (ms) is needed")
        }
    }
}
