@preconcurrency import Dispatch
import EventLoop
package import Telemetry

/// Reads the state file at the start and writes it, one write after the other, on a thread of its own.
///
/// Safe from any thread; callers wait, if at all, no longer than they say.
package final class StateKeeper: Sendable {
    private let codec: StateCodec
    private let moment: @Sendable () -> StateMoment
    private let logger: Logger
    /// The store whose control is to survive; nil where that is in Redis.
    private let ledger: Locked<InMemoryRateStore?>
    /// Blocking calls have a thread of their own; being serial, it is also what makes the file's only user.
    private let queue = DispatchQueue(label: "fxgateway.state")
    private let file: OnQueue
    private let state = Locked(State())
    private let writes = Counter()
    private let failures = LabelledCounter<StateFileFault>()
    private let adopted = Counter()

    /// A write that hangs must not let others pile up behind it.
    private static let mostWaiting = 4

    private struct State {
        var waiting = 0
        var fault: StateFileFault?
        var lastWrite: ContinuousClock.Instant?
        var bytes = 0
        var isClosed = false
    }

    /// Sendable: touched on the queue only, and once before anything is put on it.
    private final class OnQueue: @unchecked Sendable {
        let file: StateFile
        init(_ file: StateFile) { self.file = file }
    }

    /// Nothing is opened yet; the directory, an absolute path, need not exist and isn't made.
    package init(
        directory: String, identity: StateIdentity, logger: Logger,
        moment: @escaping @Sendable () -> StateMoment = { .now }
    ) {
        codec = StateCodec(identity: identity)
        file = OnQueue(StateFile(directory: directory, name: identity.fileName))
        self.logger = logger
        self.moment = moment
        ledger = Locked(nil)
    }

    /// What the file says, or nil if there is none or none that can be used: said once in the log.
    ///
    /// Blocks for one read; for the start, before anything runs.
    package func load() -> SavedState? {
        let result = queue.sync { () -> Result<SavedState?, StateFileFault> in
            Result { () throws(StateFileFault) in
                guard let bytes = try file.file.read(atMost: StateCodec.largestFile) else { return nil }
                return try codec.decode(bytes)
            }
        }
        switch result {
        case .success(let state): return state
        case .failure(let fault):
            note(fault)
            return nil
        }
    }

    /// From now on the control of this store is saved with everything else.
    package func keepLedger(of store: InMemoryRateStore) { ledger.withLock { $0 = store } }

    /// The present, as it is written into the file.
    func now() -> StateMoment { moment() }

    /// Whether the control is this process's own: what isn't in the file is lost with the process.
    var keepsLedger: Bool { ledger.withLock { $0 != nil } }

    /// Writes a state in its turn.
    ///
    /// Returns whether it is on the disk; false also if that took longer than `limit`, though it may then get there
    /// later. States are written in the order of the calls.
    func save(_ state: SavedState, within limit: Duration) async -> Bool {
        var state = state
        if let store = ledger.withLock({ $0 }) { state.control = store.savedControl }
        let isFull = self.state.withLock { kept in
            if kept.waiting >= Self.mostWaiting { return true }
            kept.waiting += 1
            return false
        }
        guard !isFull else {
            note(.tooSlow)
            return false
        }
        let complete = state
        return await answer(within: limit) { self.write(complete) }
    }

    /// Does something on the queue, in its turn; false if there is no answer in time.
    private func answer(within limit: Duration, _ work: @escaping @Sendable () -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer = OneAnswer(continuation)
            queue.async { answer.give(work()) }
            let deadline = DispatchTime.now() + .milliseconds(Int(clamping: limit.milliseconds))
            DispatchQueue.global().asyncAfter(deadline: deadline) { [weak self] in
                if answer.give(false) { self?.note(.tooSlow) }
            }
        }
    }

    /// Writes nothing more, and lets another process write.
    ///
    /// Waits for a write that is under way, but no longer than `limit`.
    func close(within limit: Duration) async {
        state.withLock { $0.isClosed = true }
        _ = await answer(within: limit) { [file] in
            file.file.release()
            return true
        }
    }

    /// Counts a snapshot that was taken over from the file.
    func countAdopted() { adopted.add() }

    package var health: StateFileHealth {
        let (fault, last, bytes) = state.withLock { ($0.fault, $0.lastWrite, $0.bytes) }
        return StateFileHealth(
            lastWrite: last.map { $0.duration(to: .now) }, bytes: bytes, fault: fault, writes: writes.value,
            failures: failures.values, adopted: adopted.value)
    }

    private func write(_ complete: SavedState) -> Bool {
        let isClosed = state.withLock { state in
            if state.isClosed { state.waiting -= 1 }
            return state.isClosed
        }
        guard !isClosed else { return false }
        let bytes = codec.encode(complete)
        let result = Result { () throws(StateFileFault) in try file.file.write(bytes) }
        let isBack = state.withLock { state in
            state.waiting -= 1
            guard case .success = result else { return false }
            defer { state.fault = nil }
            state.lastWrite = .now
            state.bytes = bytes.count
            return state.fault != nil
        }
        switch result {
        case .success:
            writes.add()
            if isBack { logger.log(.notice, "the state file is written again") }
            return true
        case .failure(let fault):
            note(fault)
            return false
        }
    }

    /// Counts a fault, and logs it if it is news.
    private func note(_ fault: StateFileFault) {
        failures.add(fault)
        let isNews = state.withLock { state in
            defer { state.fault = fault }
            return state.fault != fault
        }
        guard isNews else { return }
        logger.log(.warning, "going on without the state file", [.error: fault.rawValue])
    }
}
