/// How much of its plan an account has used, as upstream's `/v1/account` tells it.
///
/// The body also holds e-mail address, organisation and key: only these three values ever leave the parser.
package struct AccountUsage: Hashable, Sendable {
    package let callsThisMonth: Int64
    /// Nil if the answer doesn't say.
    package let limit: Int64?
    /// The day on which counting starts anew; nil if the answer doesn't say.
    package let resetsOn: CivilDate?

    /// Reads a body of at most 64 KiB; nil for anything that isn't of this form to the letter.
    ///
    /// Counts are JSON numbers of at most 10 digits, without sign, fraction or exponent; the day is `YYYY-MM-DD`, or a
    /// time of that day. Any thread.
    package init?(body: [UInt8]) {
        guard body.count <= UpstreamProblem.largestBody, let root = try? JSONTree.parse(body),
            root["result"].map({ $0 == .string("success") }) ?? true, let usage = root["usage"],
            let calls = Self.count(usage["calls_this_month"])
        else { return nil }
        callsThisMonth = calls
        switch usage["limit"] {
        case nil, .null: limit = nil
        case let value:
            guard let number = Self.count(value), number > 0 else { return nil }
            limit = number
        }
        switch usage["resets_on"] {
        case nil, .null: resetsOn = nil
        case let value:
            guard let day = value?.string.flatMap(Self.day) else { return nil }
            resetsOn = day
        }
    }

    /// What it says of the month of upstream's clock; nil if it is the count of another one.
    package func evidence(at upstream: UnixMilliseconds) -> UpstreamEvidence? {
        let next = Month(containing: upstream).next.start.date
        guard resetsOn.map({ $0 == next }) ?? true else { return nil }
        return UpstreamEvidence(used: callsThisMonth, limit: limit)
    }

    private static func count(_ value: JSONTree?) -> Int64? {
        guard let text = value?.number, text.utf8.count <= 10,
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int64(text)
    }

    private static func day(_ text: String) -> CivilDate? {
        (try? Timestamp(rfc3339: text))?.instant.date
    }
}
