public import Foundation

/// Why a call gave no rates.
///
/// Holds neither key, URL nor text of the other side, so every case may be logged and shown.
public enum ExchangeRateError: Error, Sendable, Hashable {
    /// An argument can't be sent; nothing was. `value` is the argument, cut to 32 characters.
    case invalidArgument(name: String, value: String)
    /// The key is empty or holds something other than visible ASCII characters; it is not shown.
    case invalidKey
    /// The source of the token gave none; its own error is not passed on, since it may hold what it asked with.
    case tokenUnavailable
    /// The base URL is no plain http or https URL; it is not shown, since it may hold a password.
    case invalidBaseURL
    /// The key is missing or wrong (401).
    case unauthorized
    /// The plan doesn't include what was asked for, or a gateway doesn't know the token, or not any more (403).
    case forbidden
    /// Too many calls in a short time (429). `wait` is what the answer asks for, 1 s to 31 days.
    case rateLimited(wait: Duration?)
    /// The calls of the month are used up, whatever the status. `wait` is what the answer asks for.
    case quotaExceeded(wait: Duration?)
    /// The service can't answer at the moment (503, or a code that says so). `wait` is what the answer asks for.
    case unavailable(wait: Duration?, code: ErrorCode?)
    /// Any other status of 400 and above, or one that a client without conditions should never see.
    case status(Int, code: ErrorCode?)
    /// A status of 200 with a body that says failure.
    case notSuccess(code: ErrorCode?)
    /// A status of 200 with a body of another shape, or for another question; `member` is the first bad one.
    case undecodable(member: String)
    /// The body went over the limit.
    case bodyTooLarge(limitBytes: Int)
    /// The deadline passed before the last byte.
    case timedOut(after: Duration)
    /// The answer points elsewhere (3xx); it was not followed and the key went nowhere else.
    case redirected(status: Int)
    /// No trusted TLS connection came about.
    case tls(TLSFailure)
    /// The host's name has no address.
    case dns
    /// Nobody listens at the address, or it can't be reached.
    case refused
    /// The connection broke before the last byte.
    case connectionLost
    /// The exchange failed in a rarer way, with URLSession's error code.
    case failed(code: Int)
    /// The calling task was cancelled.
    case cancelled
    /// The answer is good, but its rates aren't as fresh as was demanded.
    case notFresh(Freshness)

    /// How long the answer asks to wait before the next try, 1 s to 31 days; nil if it doesn't say.
    public var wait: Duration? {
        switch self {
        case .rateLimited(let wait), .quotaExceeded(let wait), .unavailable(let wait, _): wait
        default: nil
        }
    }

    /// Whether the same request may succeed within minutes, so that trying again makes sense at all.
    ///
    /// Never for a status of 400 to 499 but 429, unless its code says that the service or a source is unavailable or the pace too
    /// fast; nor for a spent month.
    public var isWorthAnotherTry: Bool {
        switch self {
        case .rateLimited, .refused, .dns, .connectionLost: true
        case .unavailable(_, let code): code?.isWorthWaitingFor ?? true
        case .notSuccess(let code): code?.isWorthWaitingFor ?? false
        case .status(let status, let code): [500, 502, 504].contains(status) && code != .onlyIfCached
        case .invalidArgument, .invalidKey, .tokenUnavailable, .invalidBaseURL, .unauthorized, .forbidden,
            .quotaExceeded, .undecodable, .bodyTooLarge, .timedOut, .redirected, .tls, .failed, .cancelled,
            .notFresh:
            false
        }
    }

    init(_ error: TransportError, deadline: Duration, bodyLimit: Int) {
        switch error {
        case .timedOut: self = .timedOut(after: deadline)
        case .bodyTooLarge: self = .bodyTooLarge(limitBytes: bodyLimit)
        case .tls(let failure): self = .tls(failure)
        case .dns: self = .dns
        case .refused: self = .refused
        case .connectionLost: self = .connectionLost
        // The client's gate is always open.
        case .cancelled, .notStarted: self = .cancelled
        case .invalidURL: self = .invalidBaseURL
        case .invalidKey: self = .invalidKey
        case .other(let code): self = .failed(code: code)
        }
    }
}

extension ExchangeRateError: LocalizedError, CustomStringConvertible {
    /// A sentence in English for logs and for people.
    public var description: String {
        switch self {
        case .invalidArgument(let name, let value): "the argument \(name) can't be sent: \"\(value)\""
        case .invalidKey: "the API key is empty or holds characters that can't be sent"
        case .tokenUnavailable: "the token could not be had from its source"
        case .invalidBaseURL: "the base URL is not a plain http or https URL"
        case .unauthorized: "the API key was refused"
        case .forbidden: "the plan does not include this, or the gateway does not know the token"
        case .rateLimited(let wait): "too many calls\(Self.advice(wait))"
        case .quotaExceeded(let wait): "the calls of this month are used up\(Self.advice(wait))"
        case .unavailable(let wait, let code):
            "the service is unavailable\(Self.word(code))\(Self.advice(wait))"
        case .status(let status, let code): "the service answered with status \(status)\(Self.word(code))"
        case .notSuccess(let code): "the service answered with a failure\(Self.word(code))"
        case .undecodable(let member): "the answer can't be understood: \(member)"
        case .bodyTooLarge(let limit): "the answer is longer than \(limit) bytes"
        case .timedOut(let deadline): "no answer within \(deadline)"
        case .redirected(let status): "the answer points elsewhere (status \(status)); not followed"
        case .tls(.untrusted): "the server's certificate is not trusted"
        case .tls(.expired): "the server's certificate is not valid now"
        case .tls(.wrongHost): "the server's certificate is for another host"
        case .tls(.handshake): "no TLS connection could be set up"
        case .dns: "the host has no address"
        case .refused: "the connection was refused"
        case .connectionLost: "the connection broke"
        case .failed(let code): "the exchange failed (code \(code))"
        case .cancelled: "the call was cancelled"
        case .notFresh(let freshness): "the rates are not as fresh as demanded: \(freshness)"
        }
    }

    /// The same sentence as `description`.
    public var errorDescription: String? { description }

    private static func advice(_ wait: Duration?) -> String {
        wait.map { ", wait \($0)" } ?? ""
    }

    private static func word(_ code: ErrorCode?) -> String {
        code.map { " (\($0.rawValue))" } ?? ""
    }
}
