public import Foundation

/// A client of exchangerate.dev or of a gateway in front of it.
///
/// Each method makes one request and waits for it. Nothing is cached, nothing is tried again, no redirect is
/// followed. Currency codes are three to eight ASCII letters or digits in any letter case and are sent in upper
/// case. Rates and amounts are `Decimal` and keep every digit that came.
///
/// Safe from any thread; copies share their connections.
public struct ExchangeRateClient: Sendable, CustomReflectable {
    /// The public service: `https://api.exchangerate.dev`.
    public static let publicService: URL = {
        guard let url = URL(string: "https://api.exchangerate.dev") else {
            preconditionFailure("a constant URL")
        }
        return url
    }()

    /// The variable of the environment that holds the key: `EXCHANGERATE_API_KEY`.
    public static let keyVariable = "EXCHANGERATE_API_KEY"

    let transport: RawTransport
    private let deadline: Duration
    private let bodyLimit: Int

    /// Opens no connection yet.
    ///
    /// - Parameters:
    ///   - baseURL: the service or a gateway, without `/v1`.
    ///   - apiKey: sent as `Authorization: Bearer`; nil for anonymous use. Plain http shows it on the way.
    ///   - deadline: the longest a call may take from its start to the last byte, cut to one hour.
    ///   - bodyLimit: bytes of the longest answer that is read.
    ///   - userAgent: what requests name as their sender: ASCII text.
    /// - Throws: `invalidBaseURL`, `invalidKey`.
    public init(
        baseURL: URL = ExchangeRateClient.publicService, apiKey: String?, deadline: Duration = .seconds(10),
        bodyLimit: Int = RawTransport.defaultBodyLimit, userAgent: String = RawTransport.defaultUserAgent
    ) throws(ExchangeRateError) {
        do {
            transport = try RawTransport(
                baseURL: baseURL, apiKey: apiKey, userAgent: userAgent, bodyLimit: bodyLimit)
        } catch {
            throw ExchangeRateError(error, deadline: deadline, bodyLimit: bodyLimit)
        }
        self.deadline = deadline
        self.bodyLimit = bodyLimit
    }

    /// Takes the key from `EXCHANGERATE_API_KEY`; without that variable the use is anonymous.
    ///
    /// - Parameters:
    ///   - environment: usually `ProcessInfo.processInfo.environment`.
    ///   - baseURL: the service or a gateway, without `/v1`.
    ///   - deadline: the longest a call may take.
    /// - Throws: `invalidKey` if the variable is there but empty or not fit to be sent; `invalidBaseURL`.
    public init(
        environment: [String: String], baseURL: URL = ExchangeRateClient.publicService,
        deadline: Duration = .seconds(10)
    ) throws(ExchangeRateError) {
        try self.init(baseURL: baseURL, apiKey: environment[Self.keyVariable], deadline: deadline)
    }

    /// Shows nothing of the inside, which holds the key.
    public var customMirror: Mirror { Mirror(self, children: []) }

    func get<Value: Decodable>(
        _ path: String, query: [(String, String)] = [], as type: Value.Type, mayLackResult: Bool = false
    ) async throws(ExchangeRateError) -> Value {
        let answer: RawAnswer
        do {
            answer = try await transport.get(path: path, query: query, deadline: deadline)
        } catch {
            throw ExchangeRateError(error, deadline: deadline, bodyLimit: bodyLimit)
        }
        return try AnswerReader.read(answer, as: type, mayLackResult: mayLackResult)
    }

    func post<Value: Decodable>(
        _ path: String, json: Data, as type: Value.Type
    ) async throws(ExchangeRateError) -> Value {
        let answer: RawAnswer
        do {
            answer = try await transport.post(path: path, json: json, deadline: deadline)
        } catch {
            throw ExchangeRateError(error, deadline: deadline, bodyLimit: bodyLimit)
        }
        return try AnswerReader.read(answer, as: type)
    }
}
