/// How many letters must be changed, added or left out to make one name of another (Levenshtein).
enum EditDistance {
    /// Whether `limit` edits are enough.
    static func between(_ left: String, _ right: String, isAtMost limit: Int) -> Bool {
        let left = Array(left.utf8)
        let right = Array(right.utf8)
        guard abs(left.count - right.count) <= limit else { return false }
        var row = Array(0...right.count)
        for (line, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, other) in right.enumerated() {
                let replaced = diagonal + (byte == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count] <= limit
    }
}
