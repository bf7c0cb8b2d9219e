/// Asks what is newer than what the instance holds, and what the control says.
///
/// Changes no promise.
package struct LookRequest: StoreRequest, Hashable {
    package let holder: String
    package let birth: String?
    package let version: Int64
    package let wall: UnixMilliseconds?
    package let floor: FencingToken
    /// The resources of interest, with what is held of each.
    package let interests: [Interest]
    package let plan: QuotaPlan

    package struct Interest: Hashable, Sendable {
        package let resource: Resource
        package let held: SnapshotOrder?
        package init(resource: Resource, held: SnapshotOrder?) {
            self.resource = resource
            self.held = held
        }
    }

    package init(
        holder: String, birth: String?, version: Int64 = 0,
        wall: UnixMilliseconds? = nil, floor: FencingToken, interests: [Interest], plan: QuotaPlan
    ) {
        self.holder = holder
        self.birth = birth
        self.version = version
        self.wall = wall
        self.floor = floor
        self.interests = interests
        self.plan = plan
    }
}
