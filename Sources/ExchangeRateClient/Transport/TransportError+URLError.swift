import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportError {
    /// Classifies what URLSession reports.
    ///
    /// FoundationNetworking gives most libcurl failures the code -1 and libcurl's sentence as description; the
    /// sentence is looked at and then dropped, since it can name hosts and paths.
    init(_ error: any Error) {
        let failure = error as NSError
        guard failure.domain == NSURLErrorDomain else {
            self = .other(code: failure.code)
            return
        }
        self.init(urlErrorCode: failure.code, sentence: failure.localizedDescription.lowercased())
    }

    /// Classifies a code of `NSURLErrorDomain` and the lower-case sentence that came with it.
    init(urlErrorCode code: Int, sentence: String) {
        switch URLError.Code(rawValue: code) {
        case .timedOut: self = .timedOut
        case .cancelled: self = .cancelled
        case .cannotFindHost, .dnsLookupFailed: self = .dns
        case .cannotConnectToHost, .notConnectedToInternet: self = .refused
        // libcurl's "empty reply" arrives as badServerResponse.
        case .networkConnectionLost, .badServerResponse: self = .connectionLost
        case .serverCertificateHasBadDate, .serverCertificateNotYetValid: self = .tls(.expired)
        case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot: self = .tls(.untrusted)
        case .secureConnectionFailed, .clientCertificateRejected, .clientCertificateRequired:
            self = .tls(.handshake)
        default:
            // badURL and unsupportedURL end here too: the URL has been checked, so libcurl means the answer.
            if let failure = TLSFailure(sentence: sentence) {
                self = .tls(failure)
            } else if Self.speaksOfLoss(sentence) {
                self = .connectionLost
            } else if sentence.contains("failed to connect") || sentence.contains("couldn't connect") {
                self = .refused
            } else {
                self = .other(code: code)
            }
        }
    }

    private static func speaksOfLoss(_ sentence: String) -> Bool {
        // libcurl 7.74 to 8.x: partial file, send and receive errors, HTTP/2 stream errors.
        let words = [
            "transfer closed", "recv failure", "send failure", "empty reply", "unexpected eof", "stream",
        ]
        return words.contains { sentence.contains($0) }
    }
}

extension TLSFailure {
    /// Reads libcurl's sentence (OpenSSL and GnuTLS wording, lower case); nil if it is not about TLS.
    init?(sentence: String) {
        if sentence.contains("expired") || sentence.contains("not yet valid") {
            self = .expired
        } else if sentence.contains("subject name") || sentence.contains("hostname mismatch")
            || sentence.contains("does not match target host")
        {
            self = .wrongHost
        } else if sentence.contains("certificate") {
            self = .untrusted
        } else if sentence.contains("ssl") || sentence.contains("tls") {
            self = .handshake
        } else {
            return nil
        }
    }
}
