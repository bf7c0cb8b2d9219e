import HTTPEngine

/// Answers to parked requests.
enum Answers {
    @Sendable
    static func found(_ request: HTTPRequest, _ writer: ResponseWriter) -> HTTPDisposition {
        writer.begin(status: 200)
        writer.end(body: "found")
        return .answered
    }
}
