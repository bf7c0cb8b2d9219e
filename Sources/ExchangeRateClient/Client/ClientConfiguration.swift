public import Foundation

/// How a client asks: whom, as who, how long and how often.
public struct ClientConfiguration: Sendable {
    /// Sends one request and gives the answer, whatever its status: what takes URLSession's place.
    ///
    /// Has to follow no redirect, keep to the deadline and the body limit of the request, and end when its task is cancelled.
    public typealias Sender = @Sendable (OutgoingRequest) async throws(TransportError) -> RawAnswer

    /// The service or a gateway, without `/v1`.
    public var baseURL: URL
    /// Upstream's key or a client's token of a gateway; nil for anonymous use.
    ///
    /// Plain http shows it on the way.
    public var token: Token?
    /// The longest a call may take from its start to the last byte, further tries and their waits included; cut to one hour.
    ///
    /// A ``Token`` that is asked for has to see to its own bound.
    public var deadline: Duration
    /// Bytes of the longest answer, and of the longest event of a stream, that is read.
    public var bodyLimit: Int
    /// What requests name as their sender: ASCII text.
    public var userAgent: String
    /// By which name a gateway without a clients file counts this client (`X-Client-Name`): 1 to 64 of `A-Za-z0-9._-`.
    public var clientName: String?
    /// Whether and how often a call is tried again.
    public var retry: RetryPolicy
    /// The most answers that are kept to be asked for again with their entity tag; zero for none.
    ///
    /// Each up to 256 KiB. A gateway then answers 304 without a body while nothing has changed.
    public var keptAnswers: Int
    /// How fresh rates must be to be of use.
    public var wish: FreshnessWish
    /// What sends the requests in URLSession's place, streams excepted; nil for URLSession.
    public var sender: Sender?

    private init(baseURL: URL, token: Token?, retry: RetryPolicy, keptAnswers: Int) {
        self.baseURL = baseURL
        self.token = token
        self.retry = retry
        self.keptAnswers = keptAnswers
        deadline = .seconds(10)
        bodyLimit = RawTransport.defaultBodyLimit
        userAgent = RawTransport.defaultUserAgent
        wish = .none
    }

    /// For a gateway: tried again within a budget, 64 answers kept.
    public static func gateway(_ baseURL: URL, token: Token? = nil) -> ClientConfiguration {
        ClientConfiguration(baseURL: baseURL, token: token, retry: .standard, keptAnswers: 64)
    }

    /// For upstream itself, where each try may be a call of the plan: nothing is tried again and nothing kept.
    public static func upstream(
        _ baseURL: URL = ExchangeRateClient.publicService, key: Token? = nil
    ) -> ClientConfiguration {
        ClientConfiguration(baseURL: baseURL, token: key, retry: .none, keptAnswers: 0)
    }
}
