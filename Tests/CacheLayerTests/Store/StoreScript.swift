import TestSupport

@testable import CacheLayer

/// A random life of a fleet: what its instances send, what time does, what is damaged.
///
/// Made from a seed and from the answers of one store; the same requests then go to the other.
struct StoreScript {
    enum Step {
        case move(UnixMilliseconds)
        case loseControl, rollBack, loseSnapshot(Resource)
        case begin(BeginRequest)
        case finish(FinishRequest)
        case restore(Testimony)
        case look(LookRequest)
        case lift(LiftRequest)
        case purge(PurgeRequest)
        case amend(AmendRequest)
    }

    private struct Instance {
        var birth: String?
        var floor = FencingToken.none
        var shadow: Shadow?
        var held: [Resource: StoredSnapshot] = [:]
    }

    private var numbers: SeededNumbers
    private var instances: [Instance]
    private var open: [(grant: Grant, holder: Int)] = []
    private var sentBegins: [BeginRequest] = []
    private var sentFinishes: [FinishRequest] = []
    /// One for each instance: a fleet that is being restarted differs in it for a while.
    private let plans: [QuotaPlan]
    private var plan: QuotaPlan { plans[speaker] }
    private let resources = ["latest:USD", "latest:EUR", "year:USD:2025", "currencies", "account"].compactMap
    {
        Resource(name: $0)
    }
    /// Who sent the last request, and what it was about.
    private var speaker = 0
    /// Was told that the control is lost: like a real instance it mostly restores next.
    private var mourner: Int?

    init(seed: UInt64) {
        numbers = SeededNumbers(seed: seed)
        instances = Array(repeating: Instance(), count: 3)
        let plan = QuotaPlan(
            monthly: .random(in: 3...60, using: &numbers) * 10,
            perMinute: .random(in: 1...60, using: &numbers),
            targetPermille: .random(in: 500...1_000, using: &numbers),
            maxInFlight: .random(in: 1...3, using: &numbers))
        let larger = QuotaPlan(
            monthly: plan.monthly * 2, perMinute: plan.perMinute, targetPermille: plan.targetPermille,
            maxInFlight: plan.maxInFlight)
        plans = [plan, plan, larger]
    }

    mutating func step(now: UnixMilliseconds) -> Step {
        speaker = Int.random(in: 0..<3, using: &numbers)
        if let mourner, Int.random(in: 0..<4, using: &numbers) > 0 {
            self.mourner = nil
            speaker = mourner
            return .restore(testimony())
        }
        switch Int.random(in: 0..<100, using: &numbers) {
        case 0..<28: return .move(moved(now))
        case 28..<60: return .begin(begin(now: now))
        case 60..<80: return finish(now: now) ?? .look(look())
        case 80..<88: return .look(look())
        case 88..<95: return .restore(testimony())
        case 95 where Bool.random(using: &numbers): return .loseControl
        case 96 where Bool.random(using: &numbers): return .rollBack
        case 97: return .loseSnapshot(resource())
        case 98: return operatorsAct(now: now)
        case 99 where Bool.random(using: &numbers): return operatorsAct(now: now)
        default: return .begin(sentBegins.randomElement(using: &numbers) ?? begin(now: now))
        }
    }

    mutating func told(_ answer: Answer<BeginReply>, to request: BeginRequest) {
        remember(answer.shadow)
        sentBegins.append(request)
        switch answer.reply {
        case .fetch(let token, _, let interval):
            let grant = Grant(
                resource: request.resource, attempt: request.attempt, token: token, interval: interval)
            open.append((grant, speaker))
        case .newer(let snapshot): adopt(snapshot)
        case .lost: mourner = speaker
        case .busy, .slotsTaken, .cooldown, .refused, .paced, .exhausted, .disputed, .late: break
        }
    }

    mutating func told(_ answer: Answer<FinishReply>, to request: FinishRequest) {
        remember(answer.shadow)
        sentFinishes.append(request)
        if case .fetched(let snapshot) = request.outcome, answer.reply == .stored { adopt(snapshot) }
    }

    /// The snapshots that were fetched last.
    var lastFetched: [StoredSnapshot] {
        sentFinishes.suffix(12).compactMap { request in
            if case .fetched(let snapshot) = request.outcome { snapshot } else { nil }
        }
    }

    mutating func told(_ shadow: Shadow?) { remember(shadow) }

    mutating func told(_ answer: Answer<AmendReply>, to request: AmendRequest) {
        remember(answer.shadow)
        if answer.reply == .stored { adopt(request.snapshot) }
    }

    private mutating func remember(_ shadow: Shadow?) {
        guard let shadow else { return }
        instances[speaker].shadow = shadow
        instances[speaker].birth = shadow.birth
    }

    private mutating func adopt(_ snapshot: StoredSnapshot) {
        guard snapshot.order.beats(instances[speaker].held[snapshot.resource]?.order) else { return }
        instances[speaker].held[snapshot.resource] = snapshot
        instances[speaker].floor = max(instances[speaker].floor, snapshot.token)
    }

    private mutating func resource() -> Resource { resources.randomElement(using: &numbers) ?? .currencies }

    private mutating func moved(_ now: UnixMilliseconds) -> UnixMilliseconds {
        let edge = Month(containing: now).next.start
        switch Int.random(in: 0..<100, using: &numbers) {
        case 0..<60: return now + .milliseconds(.random(in: 0...20_000, using: &numbers))
        case 60..<85: return now + .milliseconds(.random(in: 0...900_000, using: &numbers))
        case 85..<92: return now + .milliseconds(.random(in: 0...30_000_000, using: &numbers))
        case 92..<96: return edge + .milliseconds(.random(in: -8_000...8_000, using: &numbers))
        default: return now + .milliseconds(-.random(in: 0...3_600_000, using: &numbers))
        }
    }

    private mutating func begin(now: UnixMilliseconds) -> BeginRequest {
        let resource = resource()
        let me = instances[speaker]
        return BeginRequest(
            resource: resource, attempt: attempt(), holder: "instance-\(speaker)",
            lease: .milliseconds(.random(in: 5_000...20_000, using: &numbers)),
            held: me.held[resource]?.order,
            floor: me.floor, birth: me.birth,
            notAfter: now + .milliseconds(.random(in: -10...400, using: &numbers)), plan: plan,
            leastInterval: .milliseconds(.random(in: 1_000...400_000, using: &numbers)),
            isForced: .random(in: 0..<8, using: &numbers) == 0, key: key())
    }

    private mutating func key() -> KeyMark {
        KeyMark(stored: "key-\(Int.random(in: 0..<3, using: &numbers))")
    }

    private mutating func operatorsAct(now: UnixMilliseconds) -> Step {
        let me = instances[speaker]
        let holder = "instance-\(speaker)"
        let fetched = open.last.flatMap { me.held[$0.grant.resource] }
        let any = me.held.values.min { $0.resource.name < $1.resource.name }
        if Bool.random(using: &numbers), let held = fetched ?? any {
            let newest = max(held.token, me.shadow?.epoch ?? .none)
            let token = FencingToken(newest.value + .random(in: 0...2, using: &numbers))
            let grant = Grant(
                resource: held.resource, attempt: attempt(), token: token, interval: .seconds(60))
            return .amend(
                AmendRequest(
                    held: held.id, heldToken: held.token, snapshot: snapshot(grant, now: now), holder: holder,
                    birth: me.birth, floor: me.floor, plan: plan))
        }
        guard Int.random(in: 0..<8, using: &numbers) > 0 else {
            return .purge(
                PurgeRequest(
                    resources: Array(resources.prefix(2)), holder: holder, birth: me.birth, floor: me.floor,
                    plan: plan))
        }
        return .lift(
            LiftRequest(
                scope: CooldownScope.allCases.randomElement(using: &numbers) ?? .short, holder: holder,
                birth: me.birth, floor: me.floor, plan: plan))
    }

    private mutating func attempt() -> AttemptID {
        AttemptID(stored: String(UInt64.random(in: .min ... .max, using: &numbers), radix: 16))
    }

    private mutating func finish(now: UnixMilliseconds) -> Step? {
        if Int.random(in: 0..<6, using: &numbers) == 0,
            let again = sentFinishes.randomElement(using: &numbers)
        {
            return .finish(
                again.told(birth: instances[speaker].birth, version: 0, floor: instances[speaker].floor))
        }
        guard !open.isEmpty else { return nil }
        let place = Int.random(in: open.indices, using: &numbers)
        let (grant, holder) = open[place]
        if Int.random(in: 0..<5, using: &numbers) > 0 { open.remove(at: place) }
        speaker = holder
        let isOdd = Bool.random(using: &numbers)
        return .finish(
            FinishRequest(
                resource: grant.resource, attempt: grant.attempt, token: grant.token,
                birth: instances[holder].birth, floor: instances[holder].floor, holder: "instance-\(holder)",
                outcome: outcome(grant, now: now),
                upstreamUsed: isOdd ? .random(in: 0...100, using: &numbers) : nil,
                upstreamLeft: isOdd ? .random(in: 0...400, using: &numbers) : nil,
                upstreamLimit: isOdd ? .random(in: 100...900, using: &numbers) : nil,
                interval: .milliseconds(.random(in: 1_000...400_000, using: &numbers)), plan: plan,
                callClass: grant.resource.callClass, isImmutable: .random(in: 0..<5, using: &numbers) == 0,
                key: key()))
    }

    private mutating func outcome(_ grant: Grant, now: UnixMilliseconds) -> FinishRequest.Outcome {
        switch Int.random(in: 0..<12, using: &numbers) {
        case 0: return .unsent
        case 10: return .handedOver
        case 11: return .older
        case 1..<3: return .failed(reason: "http_503", keepsSlot: .random(using: &numbers))
        case 3..<5:
            let scope = CooldownScope.allCases.randomElement(using: &numbers) ?? .short
            let wait = Duration.milliseconds(.random(in: -1_000...200_000, using: &numbers))
            return .limited(scope, wait: wait, reason: "reason-\(Int.random(in: 0..<3, using: &numbers))")
        case 5: return .refused
        case 6 where Bool.random(using: &numbers): return .answered
        default: return .fetched(snapshot(grant, now: now))
        }
    }

    private mutating func snapshot(_ grant: Grant, now: UnixMilliseconds) -> StoredSnapshot {
        let sources: [Source] = [.live, .live, .live, .ecbDaily, .unknown("új")]
        let digest = (0..<4).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        return StoredSnapshot(
            resource: grant.resource, id: SnapshotID(fetchedAt: now, digest: digest), token: grant.token,
            fetchedAt: now, dataTime: now + .seconds(.random(in: -36_000...0, using: &numbers)),
            source: sources.randomElement(using: &numbers) ?? .live,
            body: (0..<Int.random(in: 0...60, using: &numbers)).map { _ in
                UInt8.random(in: 0...255, using: &numbers)
            },
            keepFor: .seconds(1_000_000_000))
    }

    private mutating func look() -> LookRequest {
        let me = instances[speaker]
        return LookRequest(
            holder: "instance-\(speaker)", birth: me.birth, floor: me.floor,
            interests: resources.map { LookRequest.Interest(resource: $0, held: me.held[$0]?.order) },
            plan: plan)
    }

    private mutating func testimony() -> Testimony {
        let me = instances[speaker]
        let age = Duration.milliseconds(.random(in: 0...100_000, using: &numbers))
        let flight = open.filter { $0.holder == speaker }.randomElement(using: &numbers)?.grant
        return Testimony(
            holder: "instance-\(speaker)", floor: me.floor, birth: me.birth,
            ledger: me.shadow.map { Testimony.Ledger(month: $0.month, counted: $0.counted, age: age) },
            cooldowns: me.shadow?.cooldowns ?? [],
            flight: flight.map {
                Testimony.Flight(attempt: $0.attempt, token: $0.token, resource: $0.resource, age: age / 5)
            },
            offline: me.shadow.map {
                Testimony.Offline(month: $0.month, calls: .random(in: 0...9, using: &numbers))
            },
            snapshots: me.held.values.sorted { $0.resource.name < $1.resource.name }, plan: plan,
            lease: .seconds(15), grace: .seconds(3))
    }
}
