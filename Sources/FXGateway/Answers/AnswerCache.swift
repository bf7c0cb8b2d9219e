/// A loop's rendered answers, bounded in number and bytes.
///
/// Two generations: when the young one is full it becomes the old one, and what the old one held is gone unless it was
/// used meanwhile. So nothing is counted or sorted on a use, and no flood of odd selections holds more than two
/// generations.
struct AnswerCache {
    private let entryLimit: Int
    private let byteLimit: Int
    private var young: [Selection: RenderedAnswer] = [:]
    private var old: [Selection: RenderedAnswer] = [:]
    private var youngBytes = 0

    /// What an entry takes beside its body: key, head lines, dictionary.
    private static let overhead = 1_024

    /// - Parameters:
    ///   - entryLimit: of one generation.
    ///   - byteLimit: of one generation.
    init(entryLimit: Int, byteLimit: Int) {
        self.entryLimit = entryLimit
        self.byteLimit = byteLimit
    }

    var count: Int { young.count + old.count }

    /// The answer to a selection, if its state still holds at `now`.
    mutating func find(_ selection: Selection, at now: Int64) -> RenderedAnswer? {
        if let answer = young[selection] { return now < answer.validUntil ? answer : nil }
        guard let answer = old.removeValue(forKey: selection), now < answer.validUntil else { return nil }
        insert(answer, for: selection)
        return answer
    }

    mutating func insert(_ answer: RenderedAnswer, for selection: Selection) {
        let size = answer.body.count + Self.overhead
        if young.count >= entryLimit || youngBytes + size > byteLimit {
            old = young
            young = [:]
            youngBytes = 0
        }
        if let replaced = young.updateValue(answer, forKey: selection) {
            youngBytes -= replaced.body.count + Self.overhead
        }
        youngBytes += size
    }

    /// Forgets everything: a snapshot was replaced.
    ///
    /// - Returns: what was held, for whoever takes the time to free it.
    mutating func removeAll() -> AnswerCache {
        defer { self = AnswerCache(entryLimit: entryLimit, byteLimit: byteLimit) }
        return self
    }
}
