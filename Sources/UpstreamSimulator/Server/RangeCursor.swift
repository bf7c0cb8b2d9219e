import Foundation

/// Where the next page of a range goes on: after a day.
///
/// Opaque to clients.
struct RangeCursor: Equatable, Sendable {
    /// The last day that was served.
    let day: CalendarDay

    init(day: CalendarDay) { self.day = day }

    init?(parsing text: String) {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text + padding) else { return nil }
        let plain = String(decoding: data, as: UTF8.self)
        guard plain.hasPrefix(Self.prefix), plain.hasSuffix(Self.suffix),
            let day = CalendarDay(parsing: plain.dropFirst(Self.prefix.count).dropLast(Self.suffix.count))
        else { return nil }
        self.day = day
    }

    var text: String {
        let encoded = Data((Self.prefix + day.text + Self.suffix).utf8).base64EncodedString()
        return String(encoded.prefix { $0 != "=" })
    }

    private static let prefix = "{\"d\":\""
    private static let suffix = "\"}"
}
