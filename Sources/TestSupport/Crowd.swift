import Glibc

/// Many clients that ask at once and wait, all on one thread.
///
/// For one thread at a time; `ask` does it all.
package final class Crowd {
    private struct Member {
        let client: RawHTTPClient
        let count: Int
        var bytes: [UInt8] = []
        var offset = 0
        var answered = 0
        var isClosed = false
    }

    private var members: [Member] = []
    private var answers: [CrowdAnswer] = []

    /// Connects them all; each has sent nothing yet.
    package init(_ clients: [CrowdClient]) throws(RawHTTPClient.Failure) {
        for client in clients {
            members.append(
                Member(client: try RawHTTPClient(port: client.port), count: client.requests.count))
        }
    }

    /// Connects all clients, lets them ask, and waits for the answers on a thread of its own.
    ///
    /// - Returns: what came within the limit, in the order in which it came.
    package static func ask(
        _ clients: [CrowdClient], within limit: Duration
    ) async throws -> [CrowdAnswer] {
        try await onThread {
            let crowd = try Crowd(clients)
            try crowd.send(clients)
            return try crowd.collect(within: limit)
        }
    }

    /// Every client sends its requests.
    package func send(_ clients: [CrowdClient]) throws(RawHTTPClient.Failure) {
        for (member, client) in zip(members, clients) { try member.client.send(client.requests.joined()) }
    }

    /// Waits until all are answered or cut off, or the limit has passed.
    package func collect(within limit: Duration) throws -> [CrowdAnswer] {
        let start = ContinuousClock.now
        while let open = openMembers(), ContinuousClock.now - start < limit {
            var polled = open.map {
                pollfd(fd: members[$0].client.descriptor, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&polled, nfds_t(polled.count), 50) > 0 else { continue }
            for (index, item) in zip(open, polled) where item.revents != 0 {
                try read(index, since: start)
            }
        }
        return answers
    }

    private func openMembers() -> [Int]? {
        let open = members.indices.filter {
            !members[$0].isClosed && members[$0].answered < members[$0].count
        }
        return open.isEmpty ? nil : open
    }

    private func read(_ index: Int, since start: ContinuousClock.Instant) throws {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(members[index].client.descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else {
            members[index].isClosed = true
            return
        }
        members[index].bytes += buffer[..<count]
        let now = ContinuousClock.now - start
        while let (answer, next) = try AnswerParser.parse(
            members[index].bytes, from: members[index].offset, toHEAD: false, isEnded: false)
        {
            answers.append(
                CrowdAnswer(client: index, request: members[index].answered, answer: answer, after: now))
            members[index].offset = next
            members[index].answered += 1
        }
    }
}
