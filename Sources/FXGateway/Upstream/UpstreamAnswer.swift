/// One HTTP answer of upstream as it came, whatever its status.
struct UpstreamAnswer: Sendable {
    /// 200 to 999; redirects aren't followed, so 3xx occurs.
    let status: Int
    /// As long as the transport's limit at most; a content coding, never asked for, is not undone.
    let body: [UInt8]
    /// The names in lower case; repeated fields are joined by a comma (RFC 9110 section 5.3).
    let fields: [String: String]

    /// The value of a field, its name in any letter case.
    subscript(field name: String) -> String? { fields[name.lowercased()] }
}
