/// What one read of the store tells a decision: the control, and what else the request is about, at one instant.
struct StoreReading: Sendable {
    /// The store's own time.
    let now: UnixMilliseconds
    let control: ControlReading
    /// What a commit compares: the control's birth and version to the letter, empty where it has none.
    let mark: ControlMark
    /// The newest snapshot of each resource that was asked about, perhaps without its body.
    var stored: [Resource: StoredSnapshot] = [:]
    /// The limits that members have configured lately.
    var limits: [MemberLimits] = []
    /// The instances that came last, at most 64, the latest at the end; only for a look.
    var members: [Shadow.Member] = []
    /// How many instances came within the last hour; only for a look.
    var instances: Int64 = 0
    var legacy: LegacyControl?
    /// Whether instances of version 0.1.0 were there within the hour.
    var isLegacyAlive = false
    /// Resources whose stored snapshot is there and can't be read.
    var unreadable: Set<Resource> = []
    /// The archive, as far as keeping a snapshot needs it.
    var archive = ArchiveRoom()
}
