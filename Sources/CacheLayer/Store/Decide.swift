/// The decisions of the fleet's coordination: each a pure function of what was read of the store, and a request.
///
/// No I/O, no clock and no chance in them. Both stores read, decide with these and commit.
enum Decide {
    /// A control that the caller knows, brought up to the present.
    struct Known {
        var control: ControlRecord
        /// The plan that holds: the caller's, narrowed by all other members'.
        let plan: PlanNumbers
        /// Whether a jump of the clock made changes necessary by itself.
        let hasCut: Bool
    }

    /// The caller's clock and the store's may differ by so much; beyond it neither is trusted with the month.
    static let clockTolerance = Duration.seconds(600)
    /// How long after a read a decision may still be applied.
    static let longestCommit = Duration.seconds(1)

    /// How far the store's clock is ahead of the caller's; nil while the two agree.
    static func dispute(_ request: some StoreRequest, _ reading: StoreReading) -> Duration? {
        guard let wall = request.wall else { return nil }
        let difference = reading.now - wall
        return difference > clockTolerance || difference < .zero - clockTolerance ? difference : nil
    }

    /// The control, where the caller may act on it; nil where it is lost to the caller, who then has to testify.
    static func known(_ request: some StoreRequest, _ reading: StoreReading) -> Known? {
        guard case .record(let control) = reading.control, control.birth == request.birth,
            !isLost(control, to: request, reading), request.floor.value <= control.epoch
        else { return nil }
        return present(control, request, reading)
    }

    /// A control brought up to the present; without a month's change where the clocks disagree.
    static func present(
        _ control: ControlRecord, _ request: some StoreRequest, _ reading: StoreReading
    ) -> Known {
        let plan = PlanNumbers(request.plan).narrowed(by: reading.limits)
        var control = control
        var hasCut = false
        if dispute(request, reading) == nil { hasCut = control.catchUp(to: reading.now.value, plan: plan) }
        if let legacy = reading.legacy { control.ledger.countLegacy(legacy) }
        return Known(control: control, plan: plan, hasCut: hasCut)
    }

    /// Whether a control has lost data: it is older than the caller has seen it, or of a month that is still to come.
    static func isLost(
        _ control: ControlRecord, to request: some StoreRequest, _ reading: StoreReading
    ) -> Bool {
        if control.birth == request.birth, control.version < request.version { return true }
        guard dispute(request, reading) == nil else { return false }
        return control.ledger.month > Month(containing: reading.now + clockTolerance)
    }

    /// The change that takes a control to its next version.
    static func change(
        _ control: ControlRecord, _ reading: StoreReading, _ effects: [StoreEffect] = [],
        notAfter: UnixMilliseconds? = nil
    ) -> StoreChange {
        var control = control
        control.version += 1
        let latest = reading.now + longestCommit
        return StoreChange(
            control: control, effects: effects, notAfter: notAfter.map { min($0, latest) } ?? latest)
    }
}

extension Decide.Known {
    func shadow(_ reading: StoreReading, resource: Resource? = nil) -> Shadow {
        control.shadow(at: reading.now.value, plan: plan, resource: resource)
    }
}
