/// What decides which of two snapshots of one resource is newer.
///
/// The one comparison, wherever it is asked.
package struct SnapshotOrder: Hashable, Sendable {
    package let token: FencingToken
    package let dataTime: UnixMilliseconds
    package let source: Source

    package init(token: FencingToken, dataTime: UnixMilliseconds, source: Source) {
        self.token = token
        self.dataTime = dataTime
        self.source = source
    }

    /// Whether this one may replace `held`: a higher token, and a data time that doesn't go back within
    /// one class.
    ///
    /// Data times of different classes aren't compared: a change of class is taken over under its own label.
    package func beats(_ held: SnapshotOrder?) -> Bool {
        guard let held else { return true }
        guard token > held.token else { return false }
        return source != held.source || dataTime >= held.dataTime
    }
}
