/// Why an answer is not fresh; the word in its `cache.reason` and in `Cache-Status`.
package enum StaleReason: String, Hashable, Sendable, CaseIterable {
    case refreshing
    case upstreamError = "upstream_error"
    case cooldown
    case paced
    case quota
    case storeDown = "store_down"
    case clockDisputed = "clock_disputed"
    case quarantine
    case keyRejected = "key_rejected"
    case sourceStalled = "source_stalled"
}
