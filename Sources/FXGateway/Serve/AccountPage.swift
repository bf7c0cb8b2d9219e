import CacheLayer

/// The body of `/v1/account`: upstream's shape, with the fleet's own ledger in `usage`.
///
/// No e-mail address, organisation or key: these are whoever's who pays upstream. Costs no call.
enum AccountPage {
    /// - Throws: a 503 while the ledger isn't known, or may have gone on without this instance: a number that can't be vouched
    ///   for, least of all a zero, would look like room in the plan.
    static func body(of status: RefreshStatus) throws(Problem) -> [UInt8] {
        guard let shadow = status.shadow, let month = Month(text: shadow.month) else {
            throw Problem(.warmingUp, "The fleet's count of calls is not known here yet.", retryAfter: 1)
        }
        guard status.isStoreReachable else {
            throw Problem(
                .storeUnavailable,
                "The shared store can't be asked: the fleet may have called since it was last told of.",
                retryAfter: 1)
        }
        var json = JSONText()
        json.beginObject()
        json.member("result", string: "success")
        json.name("usage")
        json.beginObject()
        json.member("calls_this_month", integer: Int(clamping: shadow.counted + shadow.external))
        json.member("limit", integer: Int(clamping: shadow.plan))
        json.member("resets_on", string: month.next.start.date.text)
        json.endObject()
        json.endObject()
        return json.bytes
    }
}
