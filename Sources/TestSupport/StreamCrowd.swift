import EventLoop
import Foundation
import Glibc

/// Thousands of clients of event streams on one thread, which note when each byte came.
///
/// Nothing is parsed while they listen, so that the clients are never what is slow. Sendable: the members are touched by the
/// loop's thread alone.
package final class StreamCrowd: @unchecked Sendable {
    private final class Member {
        let client: RawHTTPClient
        var bytes: [UInt8] = []
        /// How many bytes were there at which moment.
        var arrivals: [(count: Int, at: ContinuousClock.Instant)] = []
        var hasEnded = false
        var watch: EventWatch?

        init(_ client: RawHTTPClient) { self.client = client }
    }

    private let loop: EventLoop
    private var members: [Member] = []
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

    /// The clients need descriptors: as many as this process may have.
    package init() throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        loop = try EventLoop(name: "stream-crowd")
        try loop.start()
    }

    /// Connects so many clients, each of which sends the request and listens.
    package func connect(_ count: Int, port: UInt16, request: String) async throws {
        let result = await loop.perform { [self] in
            Result { for _ in 0..<count { try join(RawHTTPClient(port: port), request) } }
        }
        try result?.get()
    }

    private func join(_ client: RawHTTPClient, _ request: String) throws {
        let member = Member(client)
        try client.send(request)
        member.watch = try loop.watch(descriptor: client.descriptor, .readable) { [unowned self, member] _ in
            read(member)
        }
        member.watch?.resume()
        members.append(member)
    }

    private func read(_ member: Member) {
        let count = recv(member.client.descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count > 0 {
            buffer.withUnsafeBufferPointer {
                member.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[0..<count]))
            }
            member.arrivals.append((member.bytes.count, .now))
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            member.hasEnded = true
            member.watch?.cancel()
            member.watch = nil
            member.client.close()
        }
    }

    /// When each client had a text whole, for all that have it; in their order.
    package func arrivals(of text: String) async -> [ContinuousClock.Instant] {
        await loop.perform { [self] in
            members.compactMap { member in
                guard let end = Self.end(of: text, in: &member.bytes) else { return nil }
                return member.arrivals.first { $0.count >= end }?.at
            }
        } ?? []
    }

    /// Behind the first place at which a text stands, found by the C library: this may not take long.
    private static func end(of text: String, in bytes: inout [UInt8]) -> Int? {
        bytes.append(0)
        defer { bytes.removeLast() }
        return bytes.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                guard let start = bytes.baseAddress, let place = strstr(start, text) else { return nil }
                return UnsafePointer(place) - start + text.utf8.count
            }
        }
    }

    /// How many clients have a text.
    package func count(having text: String) async -> Int { await arrivals(of: text).count }

    /// How many connections the server has closed.
    package func ended() async -> Int {
        await loop.perform { [self] in members.count { $0.hasEnded } } ?? 0
    }

    /// What each client has read, every so many clients.
    package func readings(every step: Int = 1) async -> [EventStreamReader] {
        let bytes = await loop.perform { [self] in
            stride(from: 0, to: members.count, by: step).map { members[$0].bytes }
        }
        return (bytes ?? []).map { EventStreamReader($0) }
    }

    /// Closes all connections and ends the thread.
    package func stop() async {
        _ = await loop.perform { [self] in
            for member in members {
                member.watch?.cancel()
                member.watch = nil
                member.client.close()
            }
            members = []
        }
        loop.stop()
        loop.join()
    }
}
