/// The forms that a range comes in.
enum RangeFormat: Hashable, Sendable {
    /// In pages of `RangePage.mostRows`.
    case json
    /// In one piece, as upstream's: nothing in it could say that there is more.
    case csv

    /// Reads the value of `format=`.
    init(parsing value: [UInt8]?) throws(Problem) {
        switch value.map({ String(decoding: $0, as: UTF8.self) }) {
        case nil, "json": self = .json
        case "csv": self = .csv
        case "parquet": throw Problem(.invalidRequest, "format: 'parquet' is not offered, only json and csv.")
        case .some: throw .malformed("format", value ?? [], "json or csv")
        }
    }
}
