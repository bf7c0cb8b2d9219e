import TestSupport

/// Requests over many connections that are kept: in each round all of them send before any answer is read.
///
/// So what a request costs doesn't hang on how the client's and the gateway's turns fall. For one thread at a time.
final class LockstepLoad {
    private let clients: [RawHTTPClient]
    private let request: CountedRequest
    /// What the clients have already.
    private let tag: String?
    private var number = 0

    /// The connections that the limits are meant for.
    static let connections = 64

    init(_ request: CountedRequest, port: UInt16) throws {
        self.request = request
        clients = try (0..<Self.connections).map { _ in try RawHTTPClient(port: port) }
        tag =
            request.isConditional
            ? try clients[0].exchange(request.bytes(from: 0, tag: nil)).field("etag") : nil
    }

    /// Batches in so many rounds.
    static func batches(in rounds: Int) -> Int { rounds * connections }

    /// Requests in so many rounds.
    func requests(in rounds: Int) -> Int { Self.batches(in: rounds) * request.depth }

    func run(rounds: Int) throws {
        for _ in 0..<rounds {
            for client in clients {
                try client.send(request.bytes(from: number, tag: tag))
                number += request.depth
            }
            for client in clients {
                let (answers, _) = try client.answers(request.depth, within: .seconds(20))
                guard answers.count == request.depth, answers.allSatisfy({ $0.status == request.status })
                else {
                    let status = answers.map { String($0.status) }.joined(separator: ", ")
                    throw CountsError.wrongAnswer(
                        "\(request.name): \(answers.count) answers of \(request.depth), with status \(status)"
                    )
                }
            }
        }
    }
}
