public import Foundation

/// Of which moment the rates are to be.
public enum Moment: Sendable, Hashable {
    /// The latest.
    case now
    /// Those of a snapshot, by the id that an answer had (`cache.snapshot`), from a gateway alone.
    case snapshot(String)
    /// Those that were the latest at an instant, from a gateway alone; sent to the millisecond.
    case instant(Date)

    func query() throws(ExchangeRateError) -> [(String, String)] {
        switch self {
        case .now: return []
        case .snapshot(let id): return [("snapshot", try Self.checked(id))]
        case .instant(let date):
            // The gateway takes a time for the end of what it names.
            let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded(.down)
            let time = WireTime(Date(timeIntervalSince1970: milliseconds / 1_000))
            guard let text = time.text else { throw .invalidArgument(name: "instant", value: "\(date)") }
            return [("as_of", text)]
        }
    }

    /// An id that may stand in a path.
    static func checked(_ id: String) throws(ExchangeRateError) -> String {
        let isPlain = id.utf8.allSatisfy {
            (48...57).contains($0) || (65...90).contains($0 & 0xDF) || $0 == UInt8(ascii: "-")
        }
        guard (1...64).contains(id.utf8.count), isPlain, !id.isEmpty else {
            throw .invalidArgument(name: "snapshot", value: String(id.prefix(32)))
        }
        return id
    }
}
