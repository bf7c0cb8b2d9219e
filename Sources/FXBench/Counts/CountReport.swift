/// The table that is printed: a line for each kind of request, each count with its limit.
enum CountReport {
    static let head = row(["request"] + Count.allCases.map(\.rawValue) + ["bytes", "CPU us"])

    static func line(_ request: String, _ finding: CountsRun.Finding, _ limits: CountLimits) -> String {
        let counts = Count.allCases.map { count in
            finding.results.first { $0.count == count }.map { result in
                let limit = limits.limit(of: result).map { " <= " + text($0) } ?? ""
                return text(result.value) + limit
            } ?? "-"
        }
        return row([request] + counts + [text(finding.bytes), text(finding.microseconds)])
    }

    /// A number with two digits behind the point where it has any.
    static func text(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        return rest == 0 ? "\(whole)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }

    private static func row(_ cells: [String]) -> String {
        let widths = [13, 15, 17, 15, 11, 8, 6]
        return zip(cells, widths).map { cell, width in
            cell + String(repeating: " ", count: max(0, width - cell.utf8.count))
        }.joined(separator: " ")
    }
}
