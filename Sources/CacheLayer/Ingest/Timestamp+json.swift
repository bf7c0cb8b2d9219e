extension Timestamp {
    /// A time in an upstream answer: a text by RFC 3339, or an integer that is a Unix time.
    ///
    /// Nil for anything else, and for what is before `earliest`: a zero time stands for none in several
    /// systems.
    init?(json value: JSONTree, notBefore earliest: UnixMilliseconds) {
        let time =
            switch value {
            case .string(let text): try? Timestamp(rfc3339: text)
            case .number(let digits): try? Timestamp(epoch: digits)
            case .null, .bool, .array, .object: Timestamp?.none
            }
        guard let time, time.instant >= earliest else { return nil }
        self = time
    }
}
