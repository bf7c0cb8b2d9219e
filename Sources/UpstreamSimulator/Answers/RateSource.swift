/// A symbol's freshness class, as the upstream spells it.
enum RateSource: String, Sendable {
    case live
    case ecbDaily = "ecb_daily"
}
