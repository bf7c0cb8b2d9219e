/// The bytes of a planned answer: the head written here, so that a fault can change all of it.
struct WireAnswer: Equatable, Sendable {
    let head: [UInt8]
    /// As much of the body as is to be sent.
    let body: [UInt8]
    /// Whether the connection can't serve another request afterwards.
    let closes: Bool

    /// The bytes of `answer`, sent at the simulated time `now`.
    init(_ answer: PlannedAnswer, now: SimulatedTime) {
        if let raw = answer.raw {
            head = []
            body = raw
            closes = true
            return
        }
        let names = Set(answer.headers.map { $0.name.lowercased() })
        let hasOwnFraming = names.contains("content-length") || names.contains("transfer-encoding")
        let isBodiless = answer.status == 204 || answer.status == 304 || answer.status < 200
        var text = "HTTP/1.1 \(answer.status) \(Self.reason(answer.status))\r\n"
        if !names.contains("date") { text += "Date: \(Self.date(now))\r\n" }
        for (name, value) in answer.headers { text += "\(name): \(value)\r\n" }
        if !hasOwnFraming, !isBodiless { text += "Content-Length: \(answer.body.count)\r\n" }
        head = Array((text + "\r\n").utf8)
        let whole = answer.omitsBody || isBodiless && !hasOwnFraming ? [] : answer.body
        body = answer.truncate.map { Array(whole.prefix($0)) } ?? whole
        closes =
            hasOwnFraming || answer.truncate != nil
            || answer.headers.contains {
                $0.name.lowercased() == "connection" && $0.value.lowercased() == "close"
            }
    }

    /// The date form of RFC 9110 section 5.6.7.
    static func date(_ time: SimulatedTime) -> String {
        let (year, month, day) = time.day.parts
        let clock = time.text.dropFirst(11).dropLast()
        return
            "\(weekdays[time.day.weekday]), \(padded(day, to: 2)) \(months[month - 1]) \(padded(year, to: 4)) "
            + "\(clock) GMT"
    }

    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func reason(_ status: Int) -> String { reasons[status] ?? "Status" }

    private static let reasons = [
        200: "OK", 204: "No Content", 301: "Moved Permanently", 302: "Found", 303: "See Other",
        304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request",
        401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        422: "Unprocessable Content", 429: "Too Many Requests", 500: "Internal Server Error",
        502: "Bad Gateway",
        503: "Service Unavailable", 504: "Gateway Timeout",
    ]
}
