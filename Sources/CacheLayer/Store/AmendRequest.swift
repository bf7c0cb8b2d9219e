/// Puts an amended snapshot of a resource in the place of the one that it was made from.
///
/// An operator's act: the answer is the old one, fetched when it was, and only what is taken from it differs. Costs no
/// call and needs no lease, but goes after whoever has one.
package struct AmendRequest: StoreRequest, Hashable {
    /// The one that it was made from.
    package let held: SnapshotID
    package let heldToken: FencingToken
    /// The amended one; its token is the caller's own proposal, above all that it knows to be drawn.
    package let snapshot: StoredSnapshot
    package let holder: String
    package let birth: String?
    package let version: Int64
    package let wall: UnixMilliseconds?
    package let floor: FencingToken
    package let plan: QuotaPlan

    package init(
        held: SnapshotID, heldToken: FencingToken, snapshot: StoredSnapshot, holder: String, birth: String?,
        version: Int64 = 0,
        wall: UnixMilliseconds? = nil,
        floor: FencingToken, plan: QuotaPlan
    ) {
        self.held = held
        self.heldToken = heldToken
        self.snapshot = snapshot
        self.holder = holder
        self.birth = birth
        self.version = version
        self.wall = wall
        self.floor = floor
        self.plan = plan
    }
}
