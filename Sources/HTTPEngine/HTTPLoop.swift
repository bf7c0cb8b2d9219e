import EventLoop
import Glibc

/// The server on one event loop: connections, buffers and deadlines, none of them shared with another loop.
///
/// Sendable: after `init` everything is touched by the loop's thread alone, except the counters and the gauge, which
/// are atomics, and constants.
final class HTTPLoop: @unchecked Sendable {
    let index: Int
    let loop: EventLoop
    let configuration: HTTPServerConfiguration
    let application: any HTTPApplication
    let counters = LoopCounters()
    /// Open connections of the whole server.
    let gauge: ConnectionGauge
    let limits: HeadGuard.Limits

    let output = OutputBuffer()
    let writer: ResponseWriter
    let parser: HTTPParser
    /// Every read lands here first.
    let inputBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: inputSize, alignment: 16)
    /// The request that is being read from the loop's buffer.
    var request: HTTPRequest
    private var spareRequests: [HTTPRequest] = []
    let idPrefix = UInt32.random(in: .min ... .max)
    private var requestSerial = UInt32.random(in: .min ... .max)

    var table: ConnectionTable
    var wheel = DeadlineWheel()
    let ticks: Ticks
    private var tickWatch: EventWatch?
    private var isTicking = false

    var acceptor: Acceptor?
    var refusedNow = 0
    /// Whether a batch is being answered: the output buffer is taken.
    private(set) var isBusy = false
    private var isCatchingUp = false
    private var postponed: [() -> Void] = []
    var drain: Drain?
    var isDraining = false

    /// Bytes per read.
    static let inputSize = 16 * 1024
    /// Output that is sent before more of a batch is answered.
    static let flushSize = 64 * 1024
    private static let spareLimit = 64

    init(
        index: Int, loop: EventLoop, configuration: HTTPServerConfiguration, application: any HTTPApplication,
        gauge: ConnectionGauge
    ) {
        self.index = index
        self.loop = loop
        self.configuration = configuration
        self.application = application
        self.gauge = gauge
        limits = HeadGuard.Limits(
            head: configuration.headLimit, fields: configuration.fieldLimit, target: configuration.targetLimit
        )
        writer = ResponseWriter(output: output, date: HTTPDate())
        parser = HTTPParser(fieldLimit: configuration.fieldLimit)
        request = HTTPRequest(fieldLimit: configuration.fieldLimit, idPrefix: idPrefix)
        table = ConnectionTable(loop: index)
        ticks = Ticks(configuration)
    }

    deinit {
        // Events are given back while their base still lives. After a drain there is nothing left to do.
        tickWatch?.cancel()
        acceptor?.end(accepting: false)
        for connection in table.all {
            connection.readWatch = nil
            connection.sideWatch = nil
            close(connection.descriptor)
        }
        inputBuffer.deallocate()
    }

    // MARK: - Batches

    /// Runs `body`, which may answer requests of `connection`, and sends all its answers at once.
    func batch(_ connection: HTTPConnection, _ body: () -> Void) {
        isBusy = true
        writer.refreshDate()
        body()
        flush(connection)
        settle(connection)
        isBusy = false
        runPostponed()
    }

    /// Runs `job` as soon as the output buffer is free.
    func postpone(_ job: @escaping () -> Void) {
        postponed.append(job)
    }

    private func runPostponed() {
        guard !postponed.isEmpty, !isCatchingUp else { return }
        isCatchingUp = true
        while !postponed.isEmpty {
            let jobs = postponed
            postponed = []
            for job in jobs { job() }
        }
        isCatchingUp = false
    }

    /// Brings watches and deadline in line with what the connection waits for now.
    func settle(_ connection: HTTPConnection) {
        if connection.phase == .closing, connection.unsent.isEmpty { endOutput(connection) }
        if isDraining, connection.isIdle {
            connection.lingers = true
            endOutput(connection)
        }
        guard connection.phase != .closed else { return }
        if connection.input.isEmpty { connection.input.release() }
        setDeadline(connection)
        updateWatches(connection)
    }

    // MARK: - Requests

    func nextSerial() -> UInt32 {
        requestSerial &+= 1
        return requestSerial
    }

    /// Lets `request` outlive the loop's input buffer; the loop goes on with another.
    func detach(_ request: HTTPRequest) {
        request.detach()
        guard request === self.request else { return }
        self.request =
            spareRequests.popLast() ?? HTTPRequest(fieldLimit: configuration.fieldLimit, idPrefix: idPrefix)
    }

    /// Takes back a request that was detached.
    func recycle(_ request: HTTPRequest) {
        guard request !== self.request else { return }
        request.recycle()
        if spareRequests.count < Self.spareLimit { spareRequests.append(request) }
    }

    // MARK: - Deadlines

    private func setDeadline(_ connection: HTTPConnection) {
        let length: UInt32
        switch connection.phase {
        case .closed: return
        case .lingering: return
        case .open, .parked, .streaming, .closing:
            if !connection.unsent.isEmpty { return }
            if connection.isWaiting {
                wheel.set(connection.id.slot, at: DeadlineWheel.never)
                return
            }
            // Those of a head and of a body run from their beginning.
            if connection.hasHeadDeadline || connection.body != nil { return }
            length = ticks.idle
        }
        wheel.set(connection.id.slot, at: wheel.now &+ length)
    }

    /// Begins a deadline that isn't moved by what comes in.
    func startDeadline(_ connection: HTTPConnection, after length: UInt32) {
        wheel.set(connection.id.slot, at: wheel.now &+ length)
    }

    /// The tick by the monotonic clock.
    private var currentTick: UInt32 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return ticks.tick(seconds: now.tv_sec, nanoseconds: now.tv_nsec)
    }

    /// Ticks only while there is something to wait for.
    func startTicking() {
        guard !isTicking else { return }
        isTicking = true
        if table.isEmpty { wheel.restart(at: currentTick) }
        if let tickWatch {
            tickWatch.resume(limit: ticks.length)
        } else {
            tickWatch = try? loop.every(ticks.length) { [unowned self] in tick() }
        }
    }

    private func tick() {
        let now = currentTick
        while let slot = wheel.nextExpired(upTo: now) {
            if let connection = table[slot: slot] { expire(connection) }
        }
        acceptor?.retry()
        if table.isEmpty, acceptor?.isPaused != true {
            tickWatch?.pause()
            isTicking = false
        }
    }

    private func expire(_ connection: HTTPConnection) {
        switch connection.phase {
        case .closed: break
        case .lingering, .closing: drop(connection)
        case .open, .parked, .streaming:
            if !connection.unsent.isEmpty {
                drop(connection, telling: .tooSlow)
            } else if connection.body != nil {
                batch(connection) { refuse(connection, .bodyTimedOut) }
            } else if connection.hasHeadDeadline {
                batch(connection) { refuse(connection, .headTimedOut) }
            } else if connection.phase == .open {
                drop(connection)
            }
        }
    }

    func stopTicking() {
        tickWatch?.cancel()
        tickWatch = nil
        isTicking = false
    }
}
