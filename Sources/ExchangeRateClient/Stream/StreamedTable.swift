/// A table that a stream told of, with where it stands in the stream.
public struct StreamedTable: Labelled, Hashable, Sendable {
    /// The latest rates under the stream's filter, as `latest` would have given them.
    public let latest: Latest
    /// The id of the snapshot; good for `Moment.snapshot` too.
    public let id: String
    /// What the fleet has fetched, such as `latest:USD`; a base of its own, or the pivot.
    public let resource: String
    /// Whether tables between the one before and this one are missing: the gateway no longer had them, or the reader was too slow.
    public let hasGap: Bool

    /// Where the rates come from and how old they are.
    public var labels: Labels { latest.labels }
}
