/// What the store says to a testimony: from when on the control grants, by its own clock.
package struct RestoreReply: Hashable, Sendable {
    package let opensAt: UnixMilliseconds
    package init(opensAt: UnixMilliseconds) { self.opensAt = opensAt }
}
