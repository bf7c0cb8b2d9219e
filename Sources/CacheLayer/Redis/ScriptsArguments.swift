/// The arguments of a script call, in the order in which they are added.
///
/// Numbers go out as decimal digits, between 0 and 15 nines: what a script's arithmetic keeps exactly.
struct ScriptsArguments {
    private(set) var values: [[UInt8]] = []

    private static let largest: Int64 = 999_999_999_999_999

    /// The eight that all scripts have first.
    init(birth: String?, floor: FencingToken, plan: QuotaPlan, holder: String, resource: Resource?) {
        let numbers = PlanNumbers(plan)
        add(birth ?? "")
        add(floor.value)
        add(numbers.monthly)
        add(numbers.gap)
        add(numbers.burst)
        add(numbers.permille)
        add(holder)
        add(resource?.name ?? "")
    }

    mutating func add(_ text: String) { values.append(Array(text.utf8)) }

    mutating func add(_ number: Int64) { add(String(min(max(0, number), Self.largest))) }

    mutating func add(_ duration: Duration) { add(duration.milliseconds) }

    mutating func add(_ instant: UnixMilliseconds) { add(instant.value) }

    mutating func add(_ flag: Bool) { add(flag ? "1" : "0") }

    mutating func add(_ bytes: [UInt8]) { values.append(bytes) }

    /// A number, or nothing.
    mutating func add(ifAny number: Int64?) {
        if let number { add(number) } else { add("") }
    }

    /// What is held of a resource; three empty ones if nothing is.
    mutating func add(held: SnapshotOrder?) {
        add(ifAny: held?.token.value)
        add(ifAny: held?.dataTime.value)
        add(held?.source.name ?? "")
    }

    /// All of a snapshot but its resource.
    mutating func add(_ snapshot: StoredSnapshot) {
        add(snapshot.id.text)
        add(snapshot.token.value)
        add(snapshot.fetchedAt)
        add(snapshot.dataTime)
        add(snapshot.source.name)
        add(max(.milliseconds(1), snapshot.keepFor))
        add(StoreTimings.archiveKept(snapshot))
        add(snapshot.body)
    }
}
