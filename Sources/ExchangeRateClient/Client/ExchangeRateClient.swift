public import Foundation

/// A client of exchangerate.dev or of a gateway in front of it.
///
/// Rates and amounts are `Decimal` and keep every digit that came: an answer with more digits than a `Decimal` holds is
/// refused and never cut. Currency codes are three to eight ASCII letters or digits in any letter case and are sent in upper
/// case. No redirect is followed. Whether a call is tried again, and whether answers are asked for with a condition, says the
/// ``ClientConfiguration``; the plain initialisers do neither.
///
/// Safe from any thread; copies share their connections, kept answers and tries.
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

    /// What copies share.
    let transport: RawTransport
    let kept: Locked<KeptAnswers>
    let retries: Locked<RetryState>
    let surroundings: Surroundings
    /// Everything but what copies share; its `baseURL`, `retry` and `keptAnswers` have gone into that.
    private(set) var configuration: ClientConfiguration

    /// Opens no connection yet.
    ///
    /// - Throws: `invalidBaseURL`; `invalidKey` if the token is a fixed one that can't be sent; `invalidArgument` for the
    ///   client's name, the body limit and the user agent.
    public init(_ configuration: ClientConfiguration) throws(ExchangeRateError) {
        try self.init(configuration, surroundings: .real)
    }

    /// The same with clocks and chance in the hand of a test.
    package init(
        _ configuration: ClientConfiguration, surroundings: Surroundings
    ) throws(ExchangeRateError) {
        if case .fixed(let text)? = configuration.token?.origin, APIKey(text) == nil { throw .invalidKey }
        if let name = configuration.clientName {
            let isPlain = name.utf8.allSatisfy {
                (48...57).contains($0) || ($0 < 128 && (65...90).contains($0 & 0xDF))
                    || "._-".utf8.contains($0)
            }
            guard isPlain, (1...64).contains(name.utf8.count) else {
                throw .invalidArgument(name: "clientName", value: String(name.prefix(32)))
            }
        }
        guard configuration.bodyLimit > 0 else {
            throw .invalidArgument(name: "bodyLimit", value: "\(configuration.bodyLimit)")
        }
        guard RawTransport.mayBeSent(userAgent: configuration.userAgent) else {
            throw .invalidArgument(name: "userAgent", value: String(configuration.userAgent.prefix(32)))
        }
        do {
            transport = try RawTransport(
                baseURL: configuration.baseURL, apiKey: nil, userAgent: configuration.userAgent,
                bodyLimit: configuration.bodyLimit)
        } catch {
            throw ExchangeRateError(
                error, deadline: configuration.deadline, bodyLimit: configuration.bodyLimit)
        }
        kept = Locked(KeptAnswers(limit: configuration.keptAnswers))
        retries = Locked(RetryState(configuration.retry))
        self.surroundings = surroundings
        self.configuration = configuration
    }

    /// A client that makes one request for each call and keeps nothing.
    ///
    /// - Parameters:
    ///   - baseURL: the service or a gateway, without `/v1`.
    ///   - apiKey: sent as `Authorization: Bearer`; nil for anonymous use. Plain http shows it on the way.
    ///   - deadline: the longest a call may take from its start to the last byte, cut to one hour.
    ///   - bodyLimit: bytes of the longest answer that is read.
    ///   - userAgent: what requests name as their sender: ASCII text.
    /// - Throws: `invalidBaseURL`, `invalidKey`; `invalidArgument` for the body limit and the user agent.
    public init(
        baseURL: URL = ExchangeRateClient.publicService, apiKey: String?, deadline: Duration = .seconds(10),
        bodyLimit: Int = RawTransport.defaultBodyLimit, userAgent: String = RawTransport.defaultUserAgent
    ) throws(ExchangeRateError) {
        var configuration = ClientConfiguration.upstream(baseURL, key: apiKey.map { Token($0) })
        configuration.deadline = deadline
        configuration.bodyLimit = bodyLimit
        configuration.userAgent = userAgent
        try self.init(configuration)
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

    /// This client with another wish; connections, kept answers and tries stay shared.
    public func wishing(_ wish: FreshnessWish) -> ExchangeRateClient {
        var copy = self
        copy.configuration.wish = wish
        return copy
    }

    /// Shows nothing of the inside, which holds the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
