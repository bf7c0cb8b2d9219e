import Foundation

/// Answers with an entity tag, to be asked for again with a condition; RFC 9110 §13.1.2.
///
/// Nothing is served from here without asking: only the body of a 304 is. Bounded by entries and by the size of each; the
/// one that was not used for the longest time goes first.
struct KeptAnswers {
    /// An answer of 200 with its tag.
    struct Entry {
        let tag: String
        let answer: RawAnswer
        fileprivate var used: UInt64
    }

    /// Longer bodies are asked for anew each time: a page of a year's rates of two symbols is some 40 kB.
    static let longestBody = 262_144

    private let limit: Int
    private var entries: [String: Entry] = [:]
    private var uses: UInt64 = 0

    init(limit: Int) { self.limit = limit }

    /// What is kept for a target, path and query as they are sent.
    mutating func entry(for target: String) -> Entry? {
        guard var entry = entries[target] else { return nil }
        uses += 1
        entry.used = uses
        entries[target] = entry
        return entry
    }

    /// Keeps an answer if it may be kept and has a tag; else forgets what was kept for the target.
    mutating func keep(_ answer: RawAnswer, for target: String) {
        guard limit > 0, let tag = Self.tag(of: answer) else {
            entries[target] = nil
            return
        }
        if entries[target] == nil, entries.count >= limit,
            let oldest = entries.min(by: { $0.value.used < $1.value.used })
        {
            entries[oldest.key] = nil
        }
        uses += 1
        entries[target] = Entry(tag: tag, answer: answer, used: uses)
    }

    private static func tag(of answer: RawAnswer) -> String? {
        guard answer.status == 200, answer.body.count <= longestBody,
            answer[field: "Cache-Control"]?.lowercased().contains("no-store") != true,
            let tag = answer[field: "ETag"], tag.utf8.count <= 128, tag.hasSuffix("\""),
            tag.hasPrefix("\"") || tag.hasPrefix("W/\""), tag.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return tag
    }
}
