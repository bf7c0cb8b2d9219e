/// What each request says to its script, in the order that the script's own comment names.
extension ScriptsArguments {
    init(_ request: BeginRequest) {
        self.init(
            birth: request.birth, floor: request.floor, plan: request.plan, holder: request.holder,
            resource: request.resource)
        add(request.attempt.text)
        add(request.lease)
        add(held: request.held)
        add(request.notAfter)
        add(request.leastInterval)
        add(request.isForced)
        add(request.key.text)
    }

    init(_ request: FinishRequest, channel: String, archiveBytes: Int) {
        self.init(
            birth: request.birth, floor: request.floor, plan: request.plan, holder: request.holder,
            resource: request.resource)
        add(request.attempt.text)
        add(request.token.value)
        let (keepsSlot, reason, scope, wait) = request.outcome.details
        add(request.outcome.name)
        add(keepsSlot)
        add(reason)
        add(scope?.rawValue ?? "")
        add(wait)
        add(ifAny: request.upstreamUsed)
        add(ifAny: request.upstreamLimit)
        add(ifAny: request.upstreamLeft)
        add(request.interval)
        add(request.callClass)
        add(request.isImmutable)
        add(channel)
        add(StoreTimings.ledgerKept)
        add(request.key.text)
        if case .fetched(let snapshot) = request.outcome { add(snapshot, archiveBytes: archiveBytes) }
    }

    init(_ testimony: Testimony, newBirth: String, archiveBytes: Int) {
        self.init(
            birth: testimony.birth, floor: testimony.floor, plan: testimony.plan, holder: testimony.holder,
            resource: nil)
        add(newBirth)
        add(testimony.lease)
        add(testimony.grace)
        add(testimony.ledger?.month ?? "")
        add(testimony.ledger?.used ?? 0)
        add(testimony.ledger?.age ?? .zero)
        add(testimony.flight?.attempt.text ?? "")
        add(testimony.flight?.token.value ?? 0)
        add(testimony.flight?.resource.name ?? "")
        add(testimony.flight?.age ?? .zero)
        add(testimony.offline?.month ?? "")
        add(testimony.offline?.calls ?? 0)
        add(Int64(testimony.cooldowns.count))
        for cooldown in testimony.cooldowns {
            add(cooldown.scope.rawValue)
            add(cooldown.rest)
            add(cooldown.strikes)
            add(cooldown.reason)
            add(cooldown.keys.map(\.text).joined(separator: " "))
        }
        for snapshot in testimony.snapshots {
            add(snapshot.resource.name)
            add(snapshot, archiveBytes: archiveBytes)
        }
    }

    init(_ request: LiftRequest) {
        self.init(
            birth: request.birth, floor: request.floor, plan: request.plan, holder: request.holder,
            resource: nil)
        add(request.scope.rawValue)
        add(StoreTimings.ledgerKept)
    }

    init(_ request: PurgeRequest, channel: String) {
        self.init(
            birth: request.birth, floor: request.floor, plan: request.plan, holder: request.holder,
            resource: nil)
        add(channel)
        add(StoreTimings.ledgerKept)
    }

    init(_ request: AmendRequest, channel: String, archiveBytes: Int) {
        self.init(
            birth: request.birth, floor: request.floor, plan: request.plan, holder: request.holder,
            resource: request.snapshot.resource)
        add(request.held.text)
        add(request.heldToken.value)
        add(channel)
        add(StoreTimings.ledgerKept)
        add(request.snapshot, archiveBytes: archiveBytes)
    }

    init(_ request: LookRequest) {
        self.init(
            birth: request.birth, floor: request.floor, plan: request.plan, holder: request.holder,
            resource: nil)
        for interest in request.interests {
            add(interest.resource.name)
            add(held: interest.held)
        }
    }
}

extension FinishRequest.Outcome {
    /// Its word in the scripts and in the ledger's report.
    fileprivate var name: String {
        switch self {
        case .unsent: "unsent"
        case .fetched: "fetched"
        case .answered: "answered"
        case .older: "older"
        case .refused: "refused"
        case .failed: "failed"
        case .handedOver: "handed_over"
        case .limited: "limited"
        }
    }

    fileprivate var details: (keepsSlot: Bool, reason: String, scope: CooldownScope?, wait: Duration) {
        switch self {
        case .unsent, .fetched, .answered, .older, .refused, .handedOver: (false, "", nil, .zero)
        case .failed(let reason, let keepsSlot): (keepsSlot, reason, nil, .zero)
        case .limited(let scope, let wait, let reason): (false, reason, scope, wait)
        }
    }
}
