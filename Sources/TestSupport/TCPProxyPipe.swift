import EventLoop
import Glibc

/// One direction of one proxied connection: reads here, waits, writes there.
///
/// Only on the proxy's loop.
final class TCPProxyPipe {
    var latency = Duration.zero
    /// Bytes that still pass before both sides are reset; nil for no limit.
    var allowance: Int?
    /// Swallows what comes.
    var isBlocked = false
    /// Keeps what comes, in its order.
    var isHeld = false {
        didSet { if oldValue && !isHeld { pump() } }
    }
    /// Looked for in what comes.
    var marker: TCPProxyMarker?
    /// Called when the marker has come, before its last bytes are passed on.
    var onMarker: () -> Void = {}
    var onEnd: () -> Void = {}
    /// Called when the allowance is used up.
    var onSpent: () -> Void = {}

    private let source: Int32
    private let sink: Int32
    private let loop: EventLoop
    private var readWatch: EventWatch?
    private var writeWatch: EventWatch?
    private var timer: EventWatch?
    private var waiting: [(due: ContinuousClock.Instant, bytes: [UInt8])] = []
    private var output: [UInt8] = []
    private var isAtEnd = false

    init(from source: Int32, to sink: Int32, loop: EventLoop) throws {
        self.source = source
        self.sink = sink
        self.loop = loop
        readWatch = try loop.watch(descriptor: source, .readable) { [unowned self] _ in readAll() }
        writeWatch = try loop.watch(descriptor: sink, .writable) { [unowned self] _ in flush() }
        readWatch?.resume()
    }

    func cancel() {
        readWatch = nil
        writeWatch = nil
        timer = nil
    }

    private func readAll() {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = read(source, &chunk, chunk.count)
        if count < 0 && errno == EAGAIN { return }
        guard count > 0 else {
            readWatch?.pause()
            guard !isBlocked else { return }
            isAtEnd = true
            return pump()
        }
        guard !isBlocked else { return }
        if marker?.isMet(by: chunk[..<count]) == true { onMarker() }
        waiting.append((.now + latency, Array(chunk[..<count])))
        pump()
    }

    private func pump() {
        guard !isHeld else { return }
        while let first = waiting.first, first.due <= .now {
            waiting.removeFirst()
            output += first.bytes
        }
        if let first = waiting.first {
            timer = try? loop.schedule(after: first.due - .now) { [unowned self] in pump() }
        }
        flush()
    }

    private func flush() {
        if isBlocked { output = [] }
        var isSpent = false
        if let allowance, output.count >= allowance {
            output.removeLast(output.count - allowance)
            isSpent = true
        }
        while !output.isEmpty {
            let count = output.withUnsafeBytes {
                send(sink, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else {
                if count < 0 && errno == EAGAIN {
                    writeWatch?.resume()
                    return
                }
                return onEnd()
            }
            output.removeFirst(count)
            if let left = allowance { allowance = left - count }
        }
        writeWatch?.pause()
        if isSpent { return onSpent() }
        if isAtEnd && waiting.isEmpty { onEnd() }
    }
}
