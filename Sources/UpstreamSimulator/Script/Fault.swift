/// One line of a script: which calls it changes, how often, and how.
///
/// What isn't set stays as the simulator would answer, a refusal of the key or the quota included. A call takes at most
/// one fault, the first of the script that matches and has turns left; the quota counts it as any other.
package struct Fault: Equatable, Sendable {
    /// How a connection ends when a call isn't answered properly.
    package enum Ending: String, Sendable, CaseIterable {
        /// An orderly close (FIN).
        case close
        /// A reset (RST).
        case reset
        /// Silence: the connection stays open until the client leaves.
        case hang
    }

    /// Slow delivery in pieces.
    package struct Drip: Equatable, Sendable {
        package var bytes: Int
        package var every: Duration

        /// - Precondition: both above zero.
        package init(bytes: Int, every: Duration) {
            precondition(bytes > 0 && every > .zero, "a drip needs bytes and an interval")
            self.bytes = bytes
            self.every = every
        }
    }

    /// Only calls whose target (path and query) begins with this; nil for all.
    package var match: String?
    /// Calls it still changes; nil for always.
    package var times: Int?

    /// In place of the generated status; any number goes out as it is.
    package var status: Int?
    /// In place of generated fields of the same name, or added; nil leaves one out.
    ///
    /// Names may repeat.
    package var headers: [(name: String, value: String?)] = []
    /// In place of the generated body.
    package var body: [UInt8]?
    /// The whole answer, head included, exactly as given; the connection closes after it.
    package var raw: [UInt8]?
    /// Waited before the first byte.
    package var delay: Duration = .zero
    package var drip: Drip?
    /// Whether the head drips too.
    package var dripsHead = false
    /// Only so many bytes of the body, under the full Content-Length; then `ending`, a close if that is nil.
    package var truncate: Int?
    /// In place of an answer, or after `truncate`.
    package var ending: Ending?
    /// Answers 302, or `status`, with this Location.
    package var redirect: String?
    /// A body that unpacks to so many bytes of zeros, as gzip.
    package var gzipBomb: Int?
    /// So many filler fields of about a kilobyte.
    package var fillerFields = 0
    /// Puts the caller's Authorization value in place of `{authorization}` in body, fields and redirect, or
    /// into an error body if that stands nowhere.
    ///
    /// For tests that search for leaks, nothing else.
    package var echoesKey = false
    package var overrides = AnswerOverrides()

    package init(match: String? = nil, times: Int? = 1) {
        self.match = match
        self.times = times
    }

    /// A fault that answers with a status and, if given, a body.
    package static func status(
        _ status: Int, body: String? = nil, headers: [(name: String, value: String?)] = [],
        match: String? = nil, times: Int? = 1
    ) -> Fault {
        var fault = Fault(match: match, times: times)
        fault.status = status
        fault.body = body.map { Array($0.utf8) }
        fault.headers = headers
        return fault
    }

    package static func == (left: Fault, right: Fault) -> Bool {
        left.match == right.match && left.times == right.times && left.status == right.status
            && left.headers.elementsEqual(right.headers) { $0 == $1 } && left.body == right.body
            && left.raw == right.raw && left.delay == right.delay && left.drip == right.drip
            && left.dripsHead == right.dripsHead && left.truncate == right.truncate
            && left.ending == right.ending && left.redirect == right.redirect
            && left.gzipBomb == right.gzipBomb && left.fillerFields == right.fillerFields
            && left.echoesKey == right.echoesKey && left.overrides == right.overrides
    }
}
