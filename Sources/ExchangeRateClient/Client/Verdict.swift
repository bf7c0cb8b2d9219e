import Foundation

/// What any JSON body says about success, before the rest of it is looked at.
///
/// Known forms of failure: `result` other than `success` with a `code`; `error` with a text or an object; problem
/// details with a `type`; `success: false`.
struct Verdict: Decodable {
    let isFailure: Bool
    let isSuccess: Bool
    let code: ErrorCode?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let result = try? container.decodeIfPresent(String.self, forKey: .result)
        let success = try? container.decodeIfPresent(Bool.self, forKey: .success)
        isSuccess = result == "success"
        isFailure =
            (container.contains(.result) && !isSuccess) || container.contains(.error) || success == false
        let nested = try? container.nestedContainer(keyedBy: CodingKeys.self, forKey: .error)
        let words = [
            try? container.decode(String.self, forKey: .code),
            try? nested?.decode(String.self, forKey: .code),
        ]
        // A gateway's type says more than its code, which stays one of upstream's words.
        code =
            (try? container.decode(String.self, forKey: .type)).flatMap { ErrorCode(problemType: $0) }
            ?? words.lazy.compactMap { $0 }.compactMap { ErrorCode(word: $0) }.first
    }

    private enum CodingKeys: String, CodingKey {
        case result, success, error, code, type
    }
}
