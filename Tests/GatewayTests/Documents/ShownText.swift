/// The rule by which an answer on a page and a real one are the same.
///
/// White space outside of strings doesn't count where an answer is JSON, and these may differ: times and days, ids of
/// snapshots and requests, entity tags, lengths, ages and lifetimes, the market's session, by how much the simulator
/// has moved its calendar, and the digits of rates, since it shows another day each day (`ShownNumberTests` holds
/// those against the day that the page names).
enum ShownText {
    /// The text with everything that may differ put in the same words.
    static func settled(_ text: String) -> String {
        var lines = text.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
        if let start = lines.firstIndex(where: { $0.hasPrefix("{") }) {
            lines[start...] = [compact(lines[start...].joined(separator: "\n"))]
        }
        return masked(lines.joined(separator: "\n"))
    }

    /// JSON without the white space outside of its strings.
    static func compact(_ json: String) -> String {
        var result = ""
        var (isInString, isEscaped) = (false, false)
        for character in json {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    isInString = false
                }
            } else if character.isWhitespace {
                continue
            } else if character == "\"" {
                isInString = true
            }
            result.append(character)
        }
        return result
    }

    private static func masked(_ text: String) -> String {
        text
            .replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/#, with: "<time>")
            .replacing(#/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/#, with: "<time>")
            .replacing(#/\d{4}-\d\d-\d\d/#, with: "<day>")
            .replacing(#/[0-9A-Z]{10}-[0-9a-f]{8}/#, with: "<snapshot>")
            .replacing(#/"[0-9a-f]{32}"/#, with: "<tag>")
            .replacing(#/X-Request-Id: [0-9a-f]+/#, with: "X-Request-Id: <id>")
            .replacing(#/shown \d+ weeks? (later|earlier)/#, with: "shown <weeks>")
            .replacing(#/(Content-Length: |Age: |max-age=|ttl=)-?\d+/#) { "\($0.output.1)<number>" }
            .replacing(#/Fx-Market-Session: \w+/#, with: "Fx-Market-Session: <session>")
            .replacing(#/"market_session":"\w+"/#, with: "\"market_session\":<session>")
            .replacing(#/"([A-Z]{3}|rate|converted|result_unrounded|derivation_bps_max)":[0-9.]+/#) {
                "\"\($0.output.1)\":<number>"
            }
    }
}
