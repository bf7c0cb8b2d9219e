import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Hands URLSession's events to the exchange they belong to, and refuses what must not happen by itself.
///
/// It is the *session's* delegate, since FoundationNetworking ignores a task's own.
/// Sendable: the table of exchanges is `Locked`; URLSession calls from its delegate queue.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges = Locked<[Int: Exchange]>([:])

    /// Tells where the events of a task go, from before it is resumed.
    func register(_ exchange: Exchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    /// Drops the events of a task from now on.
    func forget(_ task: URLSessionTask) {
        exchanges.withLock { _ = $0.removeValue(forKey: task.taskIdentifier) }
    }

    private func exchange(of task: URLSessionTask) -> Exchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    // A redirect could carry the key to another host or onto plain http. It ends the exchange as the answer it is.
    // When deadline or cancellation have come first, the task is being cancelled, and FoundationNetworking stops the
    // process if the handler is called on such a task. After `conclude` nobody cancels it any more.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        if exchange(of: task)?.conclude(with: response) == true { completionHandler(nil) }
    }

    // A 401 with `WWW-Authenticate: Basic` asks for a password. FoundationNetworking never answers the caller when
    // the default handling is chosen, and cancels the task when the challenge is rejected. The body has been
    // delivered by then, so the exchange ends here with the 401 it has; the cancellation comes too late to matter.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Darwin)
        if challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust {
            return completionHandler(.performDefaultHandling, nil)
        }
        #endif
        if let refusal = (challenge.failureResponse ?? task.response) as? HTTPURLResponse {
            _ = exchange(of: task)?.conclude(with: refusal)
        }
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchange(of: task)?.complete(error)
    }
}
