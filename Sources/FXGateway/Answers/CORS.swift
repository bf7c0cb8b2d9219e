import HTTPEngine

/// Lets pages of listed origins call (Fetch standard, section 3.2); only used if there are any.
enum CORS {
    private static let exposed: StaticString = """
        Age, Cache-Status, ETag, Fx-Cooldown-Until, Fx-Market-Session, Fx-Next-Refresh, Fx-Snapshot, Fx-Source, \
        Fx-State, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id
        """

    /// Adds what an answer to a page's call needs.
    ///
    /// The listed origin is sent, never the client's own bytes.
    static func addFields(_ origins: [String], _ request: HTTPRequest, _ writer: ResponseWriter) {
        if origins.contains("*") {
            writer.field("Access-Control-Allow-Origin", "*")
        } else {
            writer.field("Vary", "Origin")
            guard let asked = request.header(named: "origin"),
                let origin = origins.first(where: { asked.elementsEqual($0.utf8) })
            else { return }
            writer.field("Access-Control-Allow-Origin", origin)
        }
        writer.field("Access-Control-Expose-Headers", exposed)
    }

    /// Adds what a preflight asks for besides.
    static func addPreflight(_ route: RouteName, _ writer: ResponseWriter) {
        writer.field("Access-Control-Allow-Methods", route.allow)
        writer.field(
            "Access-Control-Allow-Headers",
            "Authorization, X-API-Key, X-Client-Name, Content-Type, If-None-Match, Last-Event-ID, X-Request-Id"
        )
        writer.field("Access-Control-Max-Age", "600")
    }
}
