/// How much of its plan an account has used.
///
/// Upstream also sends e-mail address, organisation and key; they are not even read.
public struct Account: Hashable, Sendable, Codable {
    /// The usage of the running month.
    public let usage: Usage

    /// The calls of one calendar month in UTC.
    public struct Usage: Hashable, Sendable, Codable {
        /// The calls counted so far.
        public let callsThisMonth: Int
        /// The calls the plan allows in a month; nil if the answer doesn't say.
        public let limit: Int?
        /// The day on which counting starts anew; nil if the answer doesn't say.
        public let resetsOn: Day?

        private enum CodingKeys: String, CodingKey {
            case limit
            case callsThisMonth = "calls_this_month"
            case resetsOn = "resets_on"
        }
    }
}
