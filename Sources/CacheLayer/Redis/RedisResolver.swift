import EventLoop
import Glibc

/// Turns hosts into numeric addresses without holding up the loop.
///
/// Names are asked anew each time, on a thread of its own: `getaddrinfo` blocks and can't be cancelled. At most one
/// such thread is under way for a host; while it hangs, further callers wait for its answer.
final class RedisResolver: Sendable {
    typealias Answer = @Sendable ([String]) -> Void
    /// Blocks; gives a host's addresses in the system's order, none if it has none.
    typealias LookUp = @Sendable (String) -> [String]

    /// What one thread works on.
    private final class Task: Sendable {
        let resolver: RedisResolver
        let host: String

        init(_ resolver: RedisResolver, _ host: String) {
            self.resolver = resolver
            self.host = host
        }
    }

    private let loop: EventLoop
    private let lookUp: LookUp
    private let waiting = Locked<[String: [Answer]]>([:])

    init(loop: EventLoop, lookUp: @escaping LookUp) {
        self.loop = loop
        self.lookUp = lookUp
    }

    /// Whether the host is an address and no name.
    static func isNumeric(_ host: String) -> Bool {
        var v4 = in_addr()
        var v6 = in6_addr()
        let withoutZone = String(host.prefix { $0 != "%" })
        return inet_pton(AF_INET, host, &v4) == 1 || inet_pton(AF_INET6, withoutZone, &v6) == 1
    }

    /// Calls `answer` on the loop with the host's addresses in the system's order; none if it has none.
    func resolve(_ host: String, _ answer: @escaping Answer) {
        let isFirst = waiting.withLock { all in
            all[host, default: []].append(answer)
            return all[host]?.count == 1
        }
        guard isFirst else { return }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Task(self, host))
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let task = Unmanaged<Task>.fromOpaque(context).takeRetainedValue()
                task.resolver.deliver(task.resolver.lookUp(task.host), for: task.host)
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return deliver([], for: host)
        }
        pthread_detach(thread)
    }

    private func deliver(_ addresses: [String], for host: String) {
        let answers = waiting.withLock { $0.removeValue(forKey: host) ?? [] }
        loop.post { for answer in answers { answer(addresses) } }
    }

    /// Asks the system.
    @Sendable static func addresses(of host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0, let list else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        for entry in sequence(first: list, next: { $0.pointee.ai_next }) {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let code = getnameinfo(
                entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0,
                NI_NUMERICHOST)
            guard code == 0 else { continue }
            let address = String(
                decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if !addresses.contains(address) { addresses.append(address) }
        }
        return addresses
    }
}
