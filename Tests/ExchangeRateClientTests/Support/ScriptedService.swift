import Foundation
import TestSupport

@testable import ExchangeRateClient

/// A service that is no server: it answers what its script says, and time moves by hand.
final class ScriptedService: Sendable {
    typealias Answer = Result<RawAnswer, TransportError>

    let time = ManualTime.still()
    private let script: @Sendable (Int) -> Answer
    private let asked = Locked<[OutgoingRequest]>([])

    init(_ script: @escaping @Sendable (Int) -> Answer) { self.script = script }

    var requests: [OutgoingRequest] { asked.withLock { $0 } }

    /// A client whose chance is always none, so that waits are exact; with `waits` false it sits out none of them.
    func client(
        retry: RetryPolicy = .standard, deadline: Duration = .seconds(60), token: Token? = nil,
        waits: Bool = true
    ) throws -> ExchangeRateClient {
        var configuration = ClientConfiguration.gateway(try parsedURL("http://gateway.test"), token: token)
        configuration.retry = retry
        configuration.deadline = deadline
        configuration.sender = { [self] request throws(TransportError) in
            let index = asked.withLock { asked in
                asked.append(request)
                return asked.count - 1
            }
            return try script(index).get()
        }
        return try ExchangeRateClient(configuration, surroundings: time.surroundings(waits: waits))
    }

    /// What is read as a table of dollars.
    static let table = #"{"result":"success","base":"USD","rates":{"EUR":0.8}}"#

    static func answer(
        _ status: Int = 200, _ body: String = table, fields: [String: String] = [:]
    ) -> Answer {
        .success(RawAnswer(status: status, fields: fields, body: Data(body.utf8), elapsed: .zero))
    }

    static func problem(_ status: Int, _ word: String, retryAfter: Int? = nil) -> Answer {
        let fields = retryAfter.map { ["Retry-After": "\($0)"] } ?? [:]
        return answer(
            status,
            #"{"type":"urn:fxgateway:problem:\#(word)","result":"error","code":"service_unavailable"}"#,
            fields: fields)
    }
}

/// Counts from zero.
///
/// Safe from any thread.
final class ScriptedCounter: Sendable {
    private let count = Locked(0)

    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}
