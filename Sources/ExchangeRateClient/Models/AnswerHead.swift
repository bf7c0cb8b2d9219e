import Foundation

/// What the head of a gateway's answer says of its snapshot, handed to the decoder of the body.
struct AnswerHead: Sendable {
    let age: Int?
    let nextRefresh: Date?
    let cooldownUntil: Date?

    init(_ answer: RawAnswer) {
        age = answer[field: "Age"].flatMap { CivilTime.number(Array($0.utf8)[...]) }
        nextRefresh = answer[field: "Fx-Next-Refresh"].flatMap { WireTime($0)?.date }
        cooldownUntil = answer[field: "Fx-Cooldown-Until"].flatMap { WireTime($0)?.date }
    }

    /// Where the decoder keeps it.
    static let key: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "ExchangeRateClient.AnswerHead") else {
            preconditionFailure("a constant key")
        }
        return key
    }()
}
