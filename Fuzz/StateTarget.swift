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
            var machine = ControlState(archiveBytes: 1 << 16)
            machine.control = control.resumed(at: wall, above: state.floor, plan: plan)
            let resource = control.flights.first?.resource ?? .latest(base: usd)
            let look = LookRequest(
                holder: "h", birth: control.birth, floor: state.floor,
                interests: [.init(resource: resource, held: nil)], plan: plan)
            claimIsBounded(machine.look(look, now: wall).shadow)
            let begin = BeginRequest(
                resource: resource, attempt: AttemptID(stored: "0123456789abcdef0123456789abcdef"),
                holder: "h",
                lease: .seconds(15), held: nil, floor: state.floor, birth: control.birth,
                notAfter: wall + .seconds(10), plan: plan, leastInterval: .seconds(60))
            claimIsBounded(machine.begin(begin, now: wall).shadow)
            claimIsBounded(machine.begin(begin, now: wall + .seconds(86_400)).shadow)
            let testimony = Testimony(
                holder: "h", floor: state.floor, birth: control.birth,
                ledger: state.ledger.map { .init(month: $0.month.description, used: $0.used, age: $0.age) },
                cooldowns: state.cooldowns.map {
                    .init(
                        scope: $0.scope, rest: max(.zero, $0.end - wall), strikes: $0.strikes,
                        reason: $0.reason, keys: $0.keys)
                },
                flight: nil, snapshots: state.snapshots.prefix(16).map(\.stored), plan: plan,
                lease: .seconds(15), grace: .seconds(3))
            machine.control = nil
            claimIsBounded(machine.restore(testimony, now: wall, newBirth: "b").shadow)
        }
    }

    private static func claimIsBounded(_ shadow: Shadow?) {
        guard let shadow else { return }
        claim(shadow.used >= 0 && shadow.plan >= 0, "used \(shadow.used) of \(shadow.plan)")
    }
}
