/// The English names in HTTP dates (RFC 9110, section 5.6.7), as ASCII.
enum DateNames {
    /// From Sunday.
    static let weekdays = names("Sun Mon Tue Wed Thu Fri Sat")
    /// From Sunday; only RFC 850 dates spell them out.
    static let longWeekdays = names("Sunday Monday Tuesday Wednesday Thursday Friday Saturday")
    /// From January.
    static let months = names("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")

    private static func names(_ list: String) -> [[UInt8]] {
        list.split(separator: " ").map { Array($0.utf8) }
    }
}
