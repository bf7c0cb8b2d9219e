import CCurl
import CacheLayer
import EventLoop

/// One request on a connection of its own, made by one thread and ended by any.
///
/// No redirect is followed, no cookie kept, no password offered, no content coding asked for or undone, and nothing is
/// ever sent twice: who pays for each request must know of each.
final class UpstreamCall: Sendable {
    private struct Wakeup {
        var multi: Multi?
        var isCancelled = false
    }

    /// libcurl's handle of a thread's calls; `curl_multi_wakeup` alone may be used by another thread.
    private struct Multi: @unchecked Sendable {
        let handle: UnsafeMutableRawPointer
    }

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private let request: UpstreamRequest
    private let end: ContinuousClock.Instant
    private let wakeup = Locked(Wakeup())

    init(_ request: UpstreamRequest, until end: ContinuousClock.Instant) {
        (self.request, self.end) = (request, end)
    }

    /// Ends the call at once, before or while it runs; its connection is dropped.
    func cancel() {
        wakeup.withLock { wakeup in
            wakeup.isCancelled = true
            if let multi = wakeup.multi { curl_multi_wakeup(multi.handle) }
        }
    }

    /// Makes the request, and blocks its thread until `deliver` has been called with what came of it.
    ///
    /// A resolver that hangs may hold the thread a while longer, never the delivery.
    func run(
        gate: () -> Bool, deliver: (Result<UpstreamAnswer, UpstreamError>) -> Void
    ) {
        guard Self.isReady, let easy = curl_easy_init() else {
            return deliver(.failure(.other(code: CURLE_FAILED_INIT.rawValue)))
        }
        defer { curl_easy_cleanup(easy) }
        guard let multi = curl_multi_init() else {
            return deliver(.failure(.other(code: CURLE_FAILED_INIT.rawValue)))
        }
        defer { curl_multi_cleanup(multi) }
        wakeup.withLock { $0.multi = Multi(handle: multi) }
        defer { wakeup.withLock { $0.multi = nil } }

        var lines: UnsafeMutablePointer<curl_slist>?
        for line in request.lines { lines = curl_slist_append(lines, line) ?? lines }
        defer { curl_slist_free_all(lines) }
        let reception = UpstreamReception(bodyLimit: request.bodyLimit)
        request.configure(easy)
        fxgw_curl_lines(easy, CURLOPT_HTTPHEADER, lines)
        Self.receive(easy, by: reception)
        guard !wakeup.withLock({ $0.isCancelled }) else { return deliver(.failure(.cancelled)) }
        guard gate() else { return deliver(.failure(.notStarted)) }
        curl_multi_add_handle(multi, easy)
        defer { curl_multi_remove_handle(multi, easy) }
        deliver(outcome(multi, easy, reception))
    }

    private func outcome(
        _ multi: UnsafeMutableRawPointer, _ easy: UnsafeMutableRawPointer, _ reception: UpstreamReception
    ) -> Result<UpstreamAnswer, UpstreamError> {
        while true {
            if wakeup.withLock({ $0.isCancelled }) { return .failure(.cancelled) }
            let rest = ContinuousClock.now.duration(to: end)
            guard rest > .zero else { return Self.ending(.timedOut, reception) }
            var running: Int32 = 0
            let code = curl_multi_perform(multi, &running)
            guard code == CURLM_OK else { return .failure(.other(code: UInt32(bitPattern: code.rawValue))) }
            var pending: Int32 = 0
            if let message = curl_multi_info_read(multi, &pending), message.pointee.msg == CURLMSG_DONE {
                return ending(message.pointee.data.result, easy, reception)
            }
            // A cancellation wakes it; so does libcurl's own next step.
            curl_multi_poll(multi, nil, 0, Int32(clamping: min(rest.milliseconds, 60_000) + 1), nil)
        }
    }

    private func ending(
        _ code: CURLcode, _ easy: UnsafeMutableRawPointer, _ reception: UpstreamReception
    ) -> Result<UpstreamAnswer, UpstreamError> {
        if let fault = reception.fault { return Self.ending(fault, reception) }
        guard code == CURLE_OK else {
            return Self.ending(UpstreamError(code, certificate: fxgw_curl_verdict(easy)), reception)
        }
        return reception.answer.map { .success($0) } ?? .failure(.connectionLost)
    }

    /// A limit or a refusal counts though its body didn't arrive whole; nothing else does.
    private static func ending(
        _ error: UpstreamError, _ reception: UpstreamReception
    ) -> Result<UpstreamAnswer, UpstreamError> {
        reception.refusal.map { .success($0) } ?? .failure(error)
    }

    /// The reception must live as long as the handle is used.
    private static func receive(_ easy: UnsafeMutableRawPointer, by reception: UpstreamReception) {
        fxgw_curl_receiver(
            easy,
            { bytes, size, count, receiver in
                UpstreamCall.take(bytes, size * count, receiver) { $0.takeHead($1) }
            },
            { bytes, size, count, receiver in
                UpstreamCall.take(bytes, size * count, receiver) { $0.takeBody($1) }
            },
            Unmanaged.passUnretained(reception).toOpaque())
    }

    /// How many of the bytes were taken: all, or none to end the call.
    private static func take(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ receiver: UnsafeMutableRawPointer?,
        _ take: (UpstreamReception, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let receiver else { return 0 }
        let reception = Unmanaged<UpstreamReception>.fromOpaque(receiver).takeUnretainedValue()
        return take(reception, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
    }
}
