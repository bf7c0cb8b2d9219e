import EventLoop
import Glibc
import Synchronization

/// The fake's side on its loop.
///
/// Sendable: the counter is atomic and the record a Mutex; the rest is touched by the loop's thread alone.
final class RedisServerFakeState: @unchecked Sendable {
    private final class Connection {
        let number: Int
        let descriptor: Int32
        var input: [UInt8] = []
        var watch: EventWatch?

        init(number: Int, descriptor: Int32) {
            self.number = number
            self.descriptor = descriptor
        }
    }

    let accepted = Atomic<Int>(0)
    let record = Locked<[(connection: Int, arguments: [String])]>([])
    private let listener: Int32
    private let answer: RedisServerFake.Answer
    private let loop: EventLoop
    private var watch: EventWatch?
    private var connections: [Int32: Connection] = [:]

    init(listener: Int32, answer: @escaping RedisServerFake.Answer, loop: EventLoop) {
        self.listener = listener
        self.answer = answer
        self.loop = loop
    }

    func listen() throws {
        watch = try loop.watch(descriptor: listener, .readable) { [unowned self] _ in accept() }
        watch?.resume()
    }

    func push(_ bytes: [UInt8]) {
        for connection in connections.values { send(bytes, to: connection) }
    }

    func stop() {
        watch = nil
        Glibc.close(listener)
        for connection in connections.values { close(connection) }
    }

    private func accept() {
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let number = accepted.wrappingAdd(1, ordering: .relaxed).newValue
        let connection = Connection(number: number, descriptor: descriptor)
        connections[descriptor] = connection
        connection.watch = try? loop.watch(descriptor: descriptor, .readable) {
            [unowned self, unowned connection] _ in read(connection)
        }
        connection.watch?.resume()
    }

    private func read(_ connection: Connection) {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        let count = recv(connection.descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { return close(connection) }
        connection.input += chunk[..<count]
        while let arguments = Self.command(from: &connection.input) {
            record.withLock { $0.append((connection.number, arguments)) }
            switch answer(arguments) {
            case .bytes(let bytes): send(bytes, to: connection)
            case .silence: break
            case .last(let bytes):
                send(bytes, to: connection)
                return close(connection)
            }
        }
    }

    private func send(_ bytes: [UInt8], to connection: Connection) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(connection.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private func close(_ connection: Connection) {
        guard connections.removeValue(forKey: connection.descriptor) != nil else { return }
        connection.watch = nil
        Glibc.close(connection.descriptor)
    }

    /// Takes one whole command off the front; nil if there is none yet.
    private static func command(from input: inout [UInt8]) -> [String]? {
        var rest = input[...]
        guard let count = number(&rest, UInt8(ascii: "*")) else { return nil }
        var arguments: [String] = []
        for _ in 0..<count {
            guard let length = number(&rest, UInt8(ascii: "$")), rest.count >= length + 2 else { return nil }
            arguments.append(String(decoding: rest.prefix(length), as: UTF8.self))
            rest = rest.dropFirst(length + 2)
        }
        input = Array(rest)
        return arguments
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, _ mark: UInt8) -> Int? {
        guard rest.first == mark, let end = rest.firstIndex(of: 10) else { return nil }
        let digits = rest[(rest.startIndex + 1)..<(end - 1)]
        rest = rest[(end + 1)...]
        return Int(String(decoding: digits, as: UTF8.self))
    }
}
