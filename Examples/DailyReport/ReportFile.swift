import Foundation

/// A CSV file that only grows.
struct ReportFile {
    static let header = "day,base,symbol,rate,source,data_time,state,reason,snapshot\n"

    enum Problem: Error {
        case notAReport(line: Int)
        case cannotWrite(String)
    }

    let path: String
    /// The day, base and symbol of each row that is fresh, and of each that isn't.
    private(set) var fresh: Set<String> = []
    private(set) var stale: Set<String> = []

    /// Reads what is there; an absent file is an empty one.
    ///
    /// - Throws: `notAReport` for another file, and for a last line that a crash has cut: see to it before more is appended.
    init(path: String) throws {
        self.path = path
        guard FileManager.default.fileExists(atPath: path) else { return }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        guard !text.isEmpty else { return }
        guard text.hasPrefix(Self.header) else { throw Problem.notAReport(line: 1) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated().dropFirst() {
            if line.isEmpty, index == lines.count - 1 { break }
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
            guard cells.count == 9, index < lines.count - 1 else { throw Problem.notAReport(line: index + 1) }
            let name = Self.name(day: cells[0], base: cells[1], symbol: cells[2])
            if cells[6] == "fresh" { fresh.insert(name) } else { stale.insert(name) }
        }
    }

    static func name(day: some StringProtocol, base: some StringProtocol, symbol: some StringProtocol)
        -> String
    {
        "\(day) \(base) \(symbol)"
    }

    /// Appends rows with one write, so that two runs at once don't mix their lines.
    func append(_ rows: [String]) throws {
        guard !rows.isEmpty else { return }
        let isNew = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0 == 0
        let text = (isNew ? Self.header : "") + rows.joined()
        guard let stream = OutputStream(toFileAtPath: path, append: true) else {
            throw Problem.cannotWrite(path)
        }
        stream.open()
        defer { stream.close() }
        let bytes = Array(text.utf8)
        guard stream.write(bytes, maxLength: bytes.count) == bytes.count else {
            throw Problem.cannotWrite(path)
        }
    }
}
