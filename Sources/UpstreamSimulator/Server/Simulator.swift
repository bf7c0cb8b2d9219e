package import EventLoop
import Foundation
import HTTPEngine

/// A simulated upstream that listens: for the `simulate` command and, in-process, for tests.
///
/// Safe from any thread. `stop` must be called before it is released.
package final class Simulator: Sendable {
    private let core: SimulatorCore
    private let loop: EventLoop
    private let ownsLoop: Bool
    private let server: HTTPServer
    private let isLoopRunning = Locked(false)

    /// A simulator that doesn't listen yet.
    ///
    /// `loop` is run by the caller; nil for a thread of its own, which `start` begins and `stop` ends. `reading` is the
    /// real clock in milliseconds since 1970; tests hand in one that they move. Throws `.listen` with a reason.
    package init(
        configuration: SimulatorConfiguration, loop: EventLoop? = nil,
        reading: @escaping @Sendable () -> Int64 = Simulator.wallClock
    ) throws(SimulatorError) {
        do {
            self.loop = try loop ?? EventLoop(name: "simulator")
        } catch {
            throw .listen("no event loop: \(error)")
        }
        ownsLoop = loop == nil
        core = SimulatorCore(configuration: configuration, reading: reading)
        let address: SocketAddress
        do {
            address = try SocketAddress(parsing: configuration.listen)
        } catch {
            throw .listen(error.description)
        }
        var limits = HTTPServerConfiguration(address: address)
        limits.bodyLimit = 16 * 1024 * 1024
        limits.maxOutput = 64 * 1024 * 1024
        let (core, runner) = (core, self.loop)
        server = HTTPServer(configuration: limits, loops: [runner]) { _ in
            SimulatorApplication(core: core, loop: runner)
        }
    }

    /// Listens and serves.
    ///
    /// - Throws: `.listen` if the address is taken or not ours.
    package func start() throws(SimulatorError) {
        do {
            try server.start()
        } catch {
            throw .listen(error.description)
        }
        guard ownsLoop else { return }
        do {
            try loop.start()
        } catch {
            throw .listen("no thread: \(error)")
        }
        isLoopRunning.withLock { $0 = true }
    }

    /// Ends all connections; those that hang are cut after 100 ms.
    ///
    /// Its own loop's thread is waited for.
    package func stop() async {
        _ = await server.drain(limit: .milliseconds(100))
        endLoop()
    }

    private func endLoop() {
        let wasRunning = isLoopRunning.withLock { running in
            defer { running = false }
            return running
        }
        guard wasRunning else { return }
        loop.stop()
        loop.join()
    }

    /// The real clock.
    package static let wallClock: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }

    // MARK: - Where

    /// The port listened on; 0 before `start`.
    package var port: Int { Int(server.boundPort) }

    /// What clients of this machine put before `/v1`.
    package var baseURL: String { "http://127.0.0.1:\(port)" }

    /// The address as people read it, with the port that was taken.
    func place(in configuration: SimulatorConfiguration) -> String {
        let listen = configuration.listen
        guard !listen.hasPrefix("unix:"), let colon = listen.lastIndex(of: ":") else { return listen }
        return "http://\(listen[..<colon]):\(port)"
    }

    // MARK: - Calls

    /// Every `/v1` request received since the start or the last reset.
    package var calls: Int { counts.calls }

    package var counts: CallCounts { core.withState { state, _ in state.log.counts } }

    package var log: [CallLogEntry] { core.withState { state, _ in state.log.entries } }

    /// Forgets calls, log and what the quotas have counted.
    package func reset() { core.withState { state, _ in state.reset() } }

    // MARK: - Script and clock

    /// Adds faults behind those that wait.
    package func script(_ faults: Fault...) { core.withState { state, _ in state.script.append(faults) } }

    /// Adds the faults of a control body, the same JSON as `POST /control/script` takes.
    package func script(json: String) throws {
        let faults = try Fault.list(body: Array(json.utf8))
        core.withState { state, _ in state.script.append(faults) }
    }

    /// From now on only these keys are good, as if others had been revoked; none: all that have the form.
    package func accept(keys: [String]) { core.withState { state, _ in state.accept(keys: keys) } }

    package func clearScript() { core.withState { state, _ in state.script.clear() } }

    /// The simulated now.
    package var now: SimulatedTime { core.now }

    package func setClock(_ time: SimulatedTime) {
        core.withState { state, reading in state.setClock(time, reading: reading) }
    }

    /// Moves the simulated now; back if negative.
    package func advanceClock(by duration: Duration) {
        core.withState { state, reading in
            state.advanceClock(by: duration.wholeMilliseconds, reading: reading)
        }
    }

    /// Weeks by which the true calendar is moved.
    var shiftWeeks: Int { core.withState { state, _ in state.series.shiftWeeks } }

    var latestFix: ReplayFix? { core.withState { state, reading in state.latestFix(reading: reading) } }
}
