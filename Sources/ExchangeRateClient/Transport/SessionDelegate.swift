import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Hands URLSession's events to the receiver they belong to, and refuses what must not happen by itself.
///
/// It is the *session's* delegate, since FoundationNetworking ignores a task's own.
/// Sendable: the table of receivers is `Locked`; URLSession calls from its delegate queue.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let receivers = Locked<[Int: any Receiver]>([:])

    /// Tells where the events of a task go, from before it is resumed.
    func register(_ receiver: some Receiver, for task: URLSessionTask) {
        receivers.withLock { $0[task.taskIdentifier] = receiver }
    }

    /// Drops the events of a task from now on.
    func forget(_ task: URLSessionTask) {
        receivers.withLock { _ = $0.removeValue(forKey: task.taskIdentifier) }
    }

    private func receiver(of task: URLSessionTask) -> (any Receiver)? {
        receivers.withLock { $0[task.taskIdentifier] }
    }

    // A redirect could carry the key to another host or onto plain http. It ends the exchange as the answer it is.
    // When deadline or cancellation have come first, the task is being cancelled, and FoundationNetworking stops the
    // process if the handler is called on such a task. After `conclude` nobody cancels it any more.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        if receiver(of: task)?.conclude(with: response) == true { completionHandler(nil) }
    }

    // A 401 with `WWW-Authenticate: Basic` asks for a password. FoundationNetworking never answers the caller when
    // the default handling is chosen, and cancels the task when the challenge is rejected. The body has been
    // delivered by then, so the exchange ends here with the 401 it has; the cancellation comes too late to matter.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Darwin)
        // Of the connection, not of the answer: who the server is, and a client's certificate, which may be left out.
        let ofConnection = [NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate]
        if ofConnection.contains(challenge.protectionSpace.authenticationMethod) {
            return completionHandler(.performDefaultHandling, nil)
        }
        #endif
        if let refusal = (challenge.failureResponse ?? task.response) as? HTTPURLResponse {
            _ = receiver(of: task)?.conclude(with: refusal)
        }
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        receiver(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        receiver(of: dataTask)?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        receiver(of: task)?.complete(error)
    }
}
