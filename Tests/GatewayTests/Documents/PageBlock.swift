/// A fenced block of a page that a reader would copy into a shell.
struct PageBlock: CustomStringConvertible {
    let page: String
    /// Where its fence opens, from 1 on.
    let line: Int
    /// The word behind the fence: `sh` or `console`.
    let language: String
    /// Whether the line before the fence is the mark of a block that is run and compared.
    let isMarked: Bool
    let lines: [String]

    var description: String { "\(page):\(line)" }

    /// The words behind a fence that make a block one for a shell.
    private static let languages: Set = ["sh", "bash", "shell", "console"]

    /// All of a page, in their order.
    static func all(of page: String) throws -> [PageBlock] { try all(in: ProjectFiles.text(page), of: page) }

    static func all(in text: String, of page: String) -> [PageBlock] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var blocks: [PageBlock] = []
        var opening: Int?
        for (index, line) in lines.enumerated() where line.hasPrefix("```") {
            guard let start = opening else {
                opening = index
                continue
            }
            opening = nil
            let language = String(lines[start].dropFirst(3).prefix { $0 != " " })
            guard languages.contains(language) else { continue }
            blocks.append(
                PageBlock(
                    page: page, line: start + 1, language: language,
                    isMarked: start > 0 && lines[start - 1] == ShownCommand.mark,
                    lines: lines[(start + 1)..<index].map(String.init)))
        }
        return blocks
    }

    /// The commands of a block without answers, each with its line; comments are left out, continued lines joined.
    var commands: [(line: Int, text: String)] {
        var commands: [(line: Int, text: String)] = []
        var isContinued = false
        for (index, written) in lines.enumerated() {
            var text = written.drop { $0 == " " }
            if text.hasPrefix("#") { continue }
            if let comment = text.firstRange(of: " #") { text = text[..<comment.lowerBound] }
            let continues = text.hasSuffix("\\")
            let part = String(continues ? text.dropLast() : text)
            if isContinued {
                commands[commands.count - 1].text += part
            } else if !part.allSatisfy({ $0 == " " }) {
                commands.append((line + 1 + index, part))
            }
            isContinued = continues
        }
        return commands
    }
}
