/// Who asks in one request, as far as that is known.
struct Caller {
    /// What the client is counted by.
    let number: Int
    /// Nil where no clients file says who may ask.
    var client: Client?
    /// What is left of its allowance; nil without a limit.
    var balance: Balance?
    /// Whether this request's use was told of when its wait began: it asks once, however often it is tried.
    var isNoted = false

    /// What a request has left of its client's allowance.
    struct Balance: Hashable {
        let perMinute: Int
        /// Requests that may follow at once.
        let left: Int
        /// Until there is one more: whole seconds, at least one.
        let more: Int
    }

    /// Nobody: an operator, a load balancer, a scraper.
    static let nobody = Caller(number: ClientNames.none)

    /// How fresh its answers must be where the request doesn't say.
    var wish: FreshnessWish { client?.wish ?? .any }
}
