/// A command that a page shows, together with the answer that the page shows.
///
/// They stand in a `console` block whose fence directly follows a line `<!-- executed -->`: lines that begin with
/// `$ ` are commands, what follows is the answer.
struct ShownCommand: CustomStringConvertible {
    let page: String
    let command: String
    let answer: String

    var description: String { "\(page): \(command)" }

    static let mark = "<!-- executed -->"
    private static let opening = "```console"
    private static let closing = "```"

    /// All of them on a page, in their order.
    static func all(of page: String) throws -> [ShownCommand] {
        let lines = try ProjectFiles.text(page).split(separator: "\n", omittingEmptySubsequences: false)
        var shown: [ShownCommand] = []
        for (index, line) in lines.enumerated() where line == mark {
            guard index + 1 < lines.count, lines[index + 1] == opening else {
                throw Problem.notABlock(page: page, line: index + 2)
            }
            let block = lines[(index + 2)...].prefix { $0 != closing }
            shown += pairs(block).map { ShownCommand(page: page, command: $0, answer: $1) }
        }
        return shown
    }

    enum Problem: Error {
        /// What follows the mark in that line isn't a block of commands.
        case notABlock(page: String, line: Int)
    }

    private static func pairs(_ block: ArraySlice<Substring>) -> [(String, String)] {
        var pairs: [(command: String, answer: [Substring])] = []
        for line in block {
            if line.hasPrefix("$ ") {
                pairs.append((String(line.dropFirst(2)), []))
            } else if !pairs.isEmpty {
                pairs[pairs.count - 1].answer.append(line)
            }
        }
        return pairs.map { ($0.command, $0.answer.joined(separator: "\n")) }
    }
}
