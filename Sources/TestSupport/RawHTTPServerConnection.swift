#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// One connection of a raw server: reads a request, does its steps, and again.
struct RawHTTPServerConnection {
    let server: RawHTTPServer
    let descriptor: Int32
    let number: Int

    func serve() {
        defer { leave() }
        var unread: [UInt8] = []
        while let request = readRequest(&unread) {
            let index = server.record.withLock { record in
                record.requests.append(request)
                return record.requests.count - 1
            }
            for step in server.script(request, index) {
                guard perform(step) else { return }
            }
        }
    }

    private func leave() {
        // Under the lock: `stop` must not shut down a descriptor that is somebody else's by then.
        server.record.withLock { record in
            record.open.remove(descriptor)
            _ = close(descriptor)
        }
    }

    /// False when the connection is over.
    private func perform(_ step: RawHTTPServerStep) -> Bool {
        switch step {
        case .send(let bytes): return write(bytes)
        case .wait(let time): return !hangsUp(within: time)
        case .hold:
            while !hangsUp(within: .seconds(60)) {}
            return false
        case .close: return false
        case .reset:
            LoopbackSocket.breakOffOnClose(descriptor)
            return false
        }
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { LoopbackSocket.write(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private func hangsUp(within time: Duration) -> Bool {
        let end = ContinuousClock.now + time
        while true {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { return false }
            let milliseconds =
                left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
            // Only a hang-up is asked for: a pipelined request must not end the wait.
            var entry = pollfd(fd: descriptor, events: LoopbackSocket.hangUpEvent, revents: 0)
            let ready = poll(&entry, 1, Int32(clamping: milliseconds + 1))
            if ready > 0 { return true }
            if ready < 0, errno != EINTR { return true }
        }
    }

    private func readRequest(_ unread: inout [UInt8]) -> RawHTTPServerRequest? {
        let ending = Array("\r\n\r\n".utf8)
        var headEnd = unread.firstRange(of: ending)
        while headEnd == nil {
            guard read(into: &unread) else { return nil }
            if let first = unread.first, first < 0x20 || first > 0x7E {
                defer { unread = [] }
                return RawHTTPServerRequest(head: "", body: unread, connection: number)
            }
            headEnd = unread.firstRange(of: ending)
        }
        guard let headEnd else { return nil }
        let head = String(decoding: unread[..<headEnd.lowerBound], as: UTF8.self)
        unread.removeSubrange(..<headEnd.upperBound)
        let request = RawHTTPServerRequest(head: head, body: [], connection: number)
        let length = request.field("Content-Length").flatMap { Int($0) } ?? 0
        while unread.count < length {
            guard read(into: &unread) else { return nil }
        }
        let body = Array(unread.prefix(length))
        unread.removeFirst(length)
        return RawHTTPServerRequest(head: head, body: body, connection: number)
    }

    private func read(into unread: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        var count: Int
        repeat {
            count = recv(descriptor, &buffer, buffer.count, 0)
        } while count < 0 && errno == EINTR
        guard count > 0 else { return false }
        unread += buffer.prefix(count)
        return true
    }
}
