import Glibc

/// A blocking HTTP client that sends bytes exactly as given and tells what came back; for tests on one machine.
///
/// Not for the thread of an event loop. One thread at a time.
package final class RawHTTPClient {
    /// One parsed answer.
    package struct Answer: Equatable, Sendable {
        package var status: Int
        /// Names in lower case, in the order they came.
        package var fields: [(name: String, value: String)]
        package var body: [UInt8]

        package init(status: Int, fields: [(name: String, value: String)], body: [UInt8]) {
            self.status = status
            self.fields = fields
            self.body = body
        }

        package func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
        package var text: String { String(decoding: body, as: UTF8.self) }

        package static func == (left: Answer, right: Answer) -> Bool {
            left.status == right.status && left.body == right.body
                && left.fields.map(\.name) == right.fields.map(\.name)
                && left.fields.map(\.value) == right.fields.map(\.value)
        }
    }

    /// What ended the last read.
    package enum End: Equatable, Sendable {
        /// The wanted bytes or answers are there.
        case satisfied
        /// The server has closed its half.
        case closed
        /// The server has reset the connection.
        case reset
        /// The time limit has passed.
        case timedOut
    }

    package enum Failure: Error, Equatable {
        /// No connection; `errno` as it was left.
        case cannotConnect(errno: Int32)
        case cannotSend(errno: Int32)
        /// The bytes that came are no answer.
        case malformed(String)
    }

    package let descriptor: Int32
    /// Bytes that came and aren't part of an answer yet.
    package private(set) var pending: [UInt8] = []
    private var isClosed = false

    /// Connects to a port of this machine; `receiveBuffer` makes the kernel's buffer small, for clients that don't read.
    package init(port: UInt16, ipv6: Bool = false, receiveBuffer: Int32? = nil) throws(Failure) {
        descriptor = socket(
            ipv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .cannotConnect(errno: errno) }
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        var result: Int32
        if ipv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            inet_pton(AF_INET6, "::1", &address.sin6_addr)
            result = Self.connect(descriptor, &address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
            result = Self.connect(descriptor, &address)
        }
        guard result == 0 else {
            let code = errno
            // Marked as closed: the throw runs deinit, and a second close could hit another thread's new socket.
            close()
            throw .cannotConnect(errno: code)
        }
    }

    /// Connects to a socket in the file system.
    package init(path: String) throws(Failure) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .cannotConnect(errno: errno) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        guard Self.connect(descriptor, &address) == 0 else {
            let code = errno
            close()
            throw .cannotConnect(errno: code)
        }
    }

    deinit { close() }

    private static func connect<A>(_ descriptor: Int32, _ address: inout A) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<A>.size))
            }
        }
    }

    /// Closes at once; idempotent.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        Glibc.close(descriptor)
    }

    /// Closes with a reset.
    package func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Ends what is sent; reading goes on.
    package func halfClose() { shutdown(descriptor, Int32(SHUT_WR)) }

    package func send(_ text: String) throws(Failure) { try send(Array(text.utf8)) }

    /// Sends all of `bytes`; may block while the server doesn't read.
    package func send(_ bytes: some Collection<UInt8>) throws(Failure) {
        let all = Array(bytes)
        var sent = 0
        while sent < all.count {
            let count = all.withUnsafeBytes { buffer in
                Glibc.send(
                    descriptor, buffer.baseAddress?.advanced(by: sent), all.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { sent += count } else if errno != EINTR { throw .cannotSend(errno: errno) }
        }
    }

    /// Reads until `isEnough` says so of all pending bytes, the server closes, or the limit passes.
    package func read(
        within limit: Duration = .seconds(5), until isEnough: ([UInt8]) -> Bool = { _ in false }
    ) -> End {
        let end = ContinuousClock.now + limit
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while !isEnough(pending) {
            let left = (end - ContinuousClock.now).components
            let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
            if milliseconds < 0 { return .timedOut }
            var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&item, 1, Int32(min(milliseconds + 1, 1_000_000)))
            if ready == 0 { return .timedOut }
            if ready < 0 { continue }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count == 0 { return .closed }
            if count < 0 {
                if errno == EINTR { continue }
                return .reset
            }
            pending.append(contentsOf: buffer[0..<count])
        }
        return .satisfied
    }

    /// Reads `count` answers, or fewer if the server closes or the limit passes before.
    ///
    /// `toHEAD` tells that the requests were HEAD, whose answers have no body.
    package func answers(
        _ count: Int, toHEAD: Bool = false, within limit: Duration = .seconds(5)
    ) throws(Failure) -> (answers: [Answer], end: End) {
        var answers: [Answer] = []
        var offset = 0
        var failure: Failure?
        let end = read(within: limit) { bytes in
            do {
                while answers.count < count,
                    let (answer, next) = try AnswerParser.parse(
                        bytes, from: offset, toHEAD: toHEAD, isEnded: false)
                {
                    answers.append(answer)
                    offset = next
                }
            } catch let error as Failure { failure = error } catch { failure = .malformed("\(error)") }
            return failure != nil || answers.count >= count
        }
        if let failure { throw failure }
        if end == .closed, answers.count < count, offset < pending.count,
            let (answer, next) = try AnswerParser.parse(pending, from: offset, toHEAD: toHEAD, isEnded: true)
        {
            answers.append(answer)
            offset = next
        }
        pending.removeFirst(offset)
        return (answers, end)
    }

    /// Sends one request and reads its answer.
    package func exchange(_ request: String, within limit: Duration = .seconds(5)) throws(Failure) -> Answer {
        try send(request)
        let result = try answers(1, toHEAD: request.hasPrefix("HEAD "), within: limit)
        guard let answer = result.answers.first else { throw .malformed("no answer: \(result.end)") }
        return answer
    }

    /// Whether the server closes (or resets) within the limit without sending anything more.
    package func isClosedByServer(within limit: Duration = .seconds(5)) -> Bool {
        let end = read(within: limit) { !$0.isEmpty }
        return end == .closed || end == .reset
    }
}
