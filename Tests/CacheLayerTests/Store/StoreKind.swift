import Testing

/// The stores that keep the contract.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory
    case redis

    var testDescription: String { rawValue }
}
