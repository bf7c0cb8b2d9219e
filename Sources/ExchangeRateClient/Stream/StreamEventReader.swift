import Foundation

/// Reads the data of a gateway's events.
enum StreamEventReader {
    private struct Position: Decodable {
        struct Stream: Decodable {
            let resource: String
            let gap: Bool
        }
        let stream: Stream
    }

    private struct End: Decodable {
        let reason: String
    }

    /// Reads an event `snapshot`; `isAfterLoss` where the reader itself has missed some.
    static func table(
        _ event: ServerSentEvent, isAfterLoss: Bool
    ) throws(ExchangeRateError) -> StreamedTable {
        let answer = RawAnswer(status: 200, fields: [:], body: Data(event.data.utf8), elapsed: .zero)
        let latest = try AnswerReader.read(answer, as: Latest.self)
        guard let position = try? JSONDecoder().decode(Position.self, from: answer.body) else {
            throw .undecodable(member: "stream")
        }
        return StreamedTable(
            latest: latest, id: event.id, resource: position.stream.resource,
            hasGap: position.stream.gap || isAfterLoss)
    }

    /// Reads an event `cooldown`.
    static func cooldown(_ event: ServerSentEvent) throws(ExchangeRateError) -> CooldownNotice {
        guard let notice = try? JSONDecoder().decode(CooldownNotice.self, from: Data(event.data.utf8)) else {
            throw .undecodable(member: "cooldown")
        }
        return notice
    }

    /// Reads an event `end`; nil for a reason that isn't known.
    static func farewell(_ event: ServerSentEvent) -> StreamRecovery.Farewell? {
        (try? JSONDecoder().decode(End.self, from: Data(event.data.utf8)))
            .flatMap { StreamRecovery.Farewell(rawValue: $0.reason) }
    }
}
