import Foundation

/// The most of each count that a kind of request may have, from a file of lines `request, count, limit, why`, with tabs
/// between.
struct CountLimits {
    private struct Key: Hashable {
        let request: String
        let count: Count
    }

    private var limits: [Key: Double] = [:]

    init(contentsOf path: String) throws(CountsError) {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw .badFile(path, "can't be read")
        }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard parts.count == 4, let count = Count(rawValue: String(parts[1])),
                let limit = Double(parts[2]), limit >= 0, !parts[3].isEmpty
            else { throw .badFile(path, "line \(index + 1) is not request, count, limit and why: '\(line)'") }
            let key = Key(request: String(parts[0]), count: count)
            guard limits.updateValue(limit, forKey: key) == nil else {
                throw .badFile(path, "line \(index + 1) repeats \(parts[0]) \(parts[1])")
            }
        }
    }

    func limit(of result: CountResult) -> Double? {
        limits[Key(request: result.request, count: result.count)]
    }

    /// What is wrong with the results, a line for each: too high, without a limit, or not counted though it has one.
    func faults(in results: [CountResult]) -> [String] {
        var missing = Set(limits.keys)
        var faults: [String] = []
        for result in results {
            missing.remove(Key(request: result.request, count: result.count))
            let name = "\(result.request): \(result.count.rawValue)"
            guard let limit = limit(of: result) else {
                faults.append("\(name) has no limit")
                continue
            }
            if result.value > limit {
                faults.append("\(name) \(CountReport.text(result.value)), limit \(CountReport.text(limit))")
            }
        }
        return faults + missing.map { "\($0.request): \($0.count.rawValue) was not counted" }.sorted()
    }
}
