/// What the refresher tells the event loops: a resource's new view.
package struct RefreshNews: Sendable {
    package let resource: Resource
    package let view: ResourceView
    /// Whether the snapshot in the view came from this instance's own call to upstream.
    package let isOwnFetch: Bool
}
