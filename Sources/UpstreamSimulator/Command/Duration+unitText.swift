extension Duration {
    /// Reads `20ms`, `60s`, `5m`, `1h`: whole numbers with their unit, at most 366 days.
    init?(unitText text: String) {
        let units: [(name: String, milliseconds: Int64)] = [
            ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000),
        ]
        guard let unit = units.first(where: { text.hasSuffix($0.name) }) else { return nil }
        let digits = text.dropLast(unit.name.count)
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let count = Int64(digits)
        else { return nil }
        let (milliseconds, isOver) = count.multipliedReportingOverflow(by: unit.milliseconds)
        guard !isOver, milliseconds <= 366 * 86_400_000 else { return nil }
        self = .milliseconds(milliseconds)
    }
}
