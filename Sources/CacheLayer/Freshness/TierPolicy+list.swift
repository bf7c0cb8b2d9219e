/// The lifetime of the list of currencies: by its age alone, since upstream gives it no time.
extension TierPolicy {
    /// It is fetched once a day at most, by the whole fleet.
    package static let listInterval = Duration.seconds(86_400)
    /// Between two calls for it while there is none: a pause or a refusal that one meets is over by then, and 24 calls a day
    /// are what it costs at most.
    static let missingListInterval = Duration.seconds(3_600)
    /// One daily fetch and two hours to make it in.
    static let listLifetime = Duration.seconds(26 * 3_600)
    /// Currencies come and go by the year.
    static let listMaxStale = Duration.seconds(30 * 86_400)

    /// The end of its lifetime, by the store's clock.
    func freshUntil(ofList snapshot: RateSnapshot) -> UnixMilliseconds {
        snapshot.fetchedAt + Self.listLifetime
    }
}
