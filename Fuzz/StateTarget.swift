@testable import CacheLayer

/// The state file, and what the next process does with what it says.
///
/// The input is the document without its digest; one that ends with a line feed is taken as it is, digest and all.
enum StateTarget {
    private static let codec = StateCodec(identity: StateIdentity(fleet: "f", upstream: "h:1"))
    private static let plan = QuotaPlan(monthly: 10_000, perMinute: 60)

    static func run(_ bytes: [UInt8]) {
        do throws(StateFileFault) {
            let state = try codec.decode(sealed(bytes))
            claimComesBack(state)
            goOn(with: state)
        } catch {
            claimIsFit("\(error)", atMost: 60)
        }
    }

    private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.last == UInt8(ascii: "}") else { return bytes }
        let digest = ContentDigest(of: bytes).hexadecimal
        return bytes.dropLast() + Array(",\"sha256\":\"\(digest)\"}\n".utf8)
    }

    private static func claimComesBack(_ state: SavedState) {
        let bytes = codec.encode(state)
        claim(bytes.count <= StateCodec.largestFile, "a file of \(bytes.count) bytes")
        do throws(StateFileFault) {
            let again = try codec.decode(bytes)
            claim(codec.encode(again) == bytes, "the same state gives other bytes")
            claim(again.control == state.control, "another control comes back")
            claim(again.ledger == state.ledger && again.offline == state.offline, "another ledger comes back")
            claim(again.cooldowns == state.cooldowns, "other cooldowns come back")
            claim(Set(again.snapshots).isSubset(of: Set(state.snapshots)), "other snapshots come back")
        } catch {
            fatalError("what was written is \(error): \(Parts.text(bytes).debugDescription)")
        }
    }

    /// Takes the control over, at the time of the file and at others, and grants, looks and rebuilds with it.
    private static func goOn(with state: SavedState) {
        for held in state.snapshots { _ = try? SnapshotCodec(policy: TierPolicy()).decode(held.stored) }
        _ = state.highestToken
        guard let control = state.control, let usd = Currency("USD") else { return }
        for wall in [state.written.wall, UnixMilliseconds(1_789_482_732_000)] {
            let resumed = control.resumed(at: wall, above: state.floor, plan: plan)
            func reading(_ control: ControlReading, at now: UnixMilliseconds) -> StoreReading {
                StoreReading(now: now, control: control, mark: .absent)
            }
            let resource = control.flights.first?.resource ?? .latest(base: usd)
            let look = LookRequest(
                holder: "h", birth: control.birth, floor: state.floor,
                interests: [.init(resource: resource, held: nil)], plan: plan)
            claimIsBounded(Decide.look(look, reading(.record(resumed), at: wall)).answer.shadow)
            let begin = BeginRequest(
                resource: resource, attempt: AttemptID(stored: "0123456789abcdef0123456789abcdef"),
                holder: "h", lease: .seconds(15), held: nil, floor: state.floor, birth: control.birth,
                notAfter: wall + .seconds(100_000), plan: plan, leastInterval: .seconds(60))
            for now in [wall, wall + .seconds(86_400)] {
                let decision = Decide.begin(begin, reading(.record(resumed), at: now))
                claimIsBounded(decision.answer.shadow)
                if let changed = decision.change?.control { claimComesBack(changed) }
            }
            let testimony = Testimony(
                holder: "h", floor: state.floor, birth: control.birth,
                ledger: state.ledger.map {
                    .init(
                        month: $0.month.description, counted: $0.counted, assumed: $0.assumed,
                        external: $0.external, members: $0.members, age: $0.age)
                },
                cooldowns: state.cooldowns.map {
                    .init(
                        scope: $0.scope, rest: max(.zero, $0.end - wall), strikes: $0.strikes,
                        reason: $0.reason, keys: $0.keys)
                },
                flight: nil, snapshots: state.snapshots.prefix(16).map(\.stored), plan: plan,
                lease: .seconds(15), grace: .seconds(3))
            let rebuilt = Decide.restore(testimony, reading(.absent, at: wall), newBirth: "b")
            claimIsBounded(rebuilt.answer.shadow)
            if let made = rebuilt.change?.control { claimComesBack(made) }
        }
    }

    private static func claimIsBounded(_ shadow: Shadow?) {
        guard let shadow else { return }
        claim(shadow.booked >= 0 && shadow.plan >= 0, "booked \(shadow.booked) of \(shadow.plan)")
    }

    /// What is written to Redis is read back as it was.
    private static func claimComesBack(_ control: ControlRecord) {
        claim(
            ControlFields.read(ControlFields.fields(control)).control == .record(control), "another control")
    }
}
