/// How numbers stand in a body: as JSON numbers like upstream's, or as strings for clients whose JSON library reads
/// numbers as doubles.
enum NumberForm: UInt8, Hashable, Sendable {
    case number
    case string

    /// Reads the value of `numbers=`.
    init(parsing value: [UInt8]?) throws(Problem) {
        switch value.map({ String(decoding: $0, as: UTF8.self) }) {
        case nil, "number": self = .number
        case "string": self = .string
        case .some: throw .malformed("numbers", value ?? [], "number or string")
        }
    }
}
