import EventLoop
import Glibc

/// Turns a host into numeric addresses without holding up the loop.
///
/// Names are asked anew each time, on a thread of its own: `getaddrinfo` blocks and can't be cancelled. At most one
/// such thread is under way; while it hangs, further callers wait for its answer.
final class RedisResolver: Sendable {
    typealias Answer = @Sendable ([String]) -> Void

    private let host: String
    private let loop: EventLoop
    private let waiting = Locked<[Answer]>([])

    init(host: String, loop: EventLoop) {
        self.host = host
        self.loop = loop
    }

    /// The host itself, if it is an address and no name.
    var numericAddress: String? {
        var v4 = in_addr()
        var v6 = in6_addr()
        let withoutZone = String(host.prefix { $0 != "%" })
        let isNumeric = inet_pton(AF_INET, host, &v4) == 1 || inet_pton(AF_INET6, withoutZone, &v6) == 1
        return isNumeric ? host : nil
    }

    /// Calls `answer` on the loop with the host's addresses in the system's order; none if it has none.
    func resolve(_ answer: @escaping Answer) {
        let isFirst = waiting.withLock { list in
            list.append(answer)
            return list.count == 1
        }
        guard isFirst else { return }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let resolver = Unmanaged<RedisResolver>.fromOpaque(context).takeRetainedValue()
                resolver.deliver(RedisResolver.addresses(of: resolver.host))
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return deliver([])
        }
        pthread_detach(thread)
    }

    private func deliver(_ addresses: [String]) {
        let answers = waiting.withLock { list in
            defer { list = [] }
            return list
        }
        loop.post { for answer in answers { answer(addresses) } }
    }

    private static func addresses(of host: String) -> [String] {
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
