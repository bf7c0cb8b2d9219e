import CacheLayer

/// The snapshots that one event loop answers from.
///
/// Only for its loop's thread.
struct SnapshotTable {
    /// The direct bases, the pivot first; never empty.
    let bases: [Currency]
    let policy: TierPolicy
    private var holdings: [Resource: Holding] = [:]
    private var conditions: [Resource: RefreshCondition] = [:]

    init(bases: [Currency], policy: TierPolicy) {
        precondition(!bases.isEmpty, "there is always a pivot")
        self.bases = bases
        self.policy = policy
    }

    var pivot: Currency { bases[0] }

    /// Takes a resource's new view in the place of its old one.
    mutating func adopt(_ view: ResourceView, of resource: Resource, clock: GatewayClock) {
        conditions[resource] = view.condition
        holdings[resource] = Holding(view, clock: clock, policy: policy)
    }

    /// How the refreshing of a resource stands.
    func condition(of resource: Resource) -> RefreshCondition { conditions[resource] ?? .idle }

    /// What is held of a resource.
    func holding(of resource: Resource) -> Holding? { holdings[resource] }

    /// What an answer to `selection`, which isn't a range, would say at an instant of the loop's clock; `today` is the day in
    /// UTC.
    ///
    /// Of the latest tables a direct base's own goes first; where it isn't held or has nothing to serve, the pivot's does.
    func plan(_ selection: Selection, at now: Int64, today: @autoclosure () -> CivilDate) -> PlanOutcome {
        guard let date = selection.date else {
            return plan(base: selection.base, wish: Wish(selection), at: now)
        }
        return plan(on: date, base: selection.base, wish: Wish(selection), at: now, today: today())
    }

    /// What the conversions of a batch stand on: every code named must be served.
    ///
    /// `date` nil is the latest.
    func plan(
        from base: Currency, to codes: [Currency], on date: CivilDate?, at now: Int64,
        today: @autoclosure () -> CivilDate
    ) -> PlanOutcome {
        guard let date else { return plan(base: base, wish: .each(codes), at: now) }
        return plan(on: date, base: base, wish: .each(codes), at: now, today: today())
    }

    /// Which rates of a base are wanted.
    enum Wish {
        case all
        /// What isn't there is listed.
        case named([Currency])
        /// What isn't there refuses the whole.
        case each([Currency])

        /// The codes that are named; nil for all.
        var codes: [Currency]? {
            switch self {
            case .all: nil
            case .named(let codes), .each(let codes): codes
            }
        }

        init(_ selection: Selection) {
            switch selection {
            case .latest(_, let symbols, _), .day(_, _, let symbols, _):
                self = symbols.map { .named($0.codes) } ?? .all
            case .range(let range): self = range.symbols.map { .named($0.codes) } ?? .all
            case .rate(_, let quote, _): self = .each([quote])
            case .convert(_, let target, _, _): self = .each([target])
            }
        }
    }

    /// Whose tables may answer for a base, in this order.
    func candidates(for base: Currency) -> [Currency] {
        bases.dropFirst().contains(base) ? [base, pivot] : [pivot]
    }

    private func plan(base: Currency, wish: Wish, at now: Int64) -> PlanOutcome {
        Self.outcome(of: verdicts(base: base, wish: wish, at: now))
    }

    /// What is made of the verdicts on the candidates, in their order: the first that serves answers, else the first speaks
    /// for all.
    static func outcome(of verdicts: [(resource: Resource, verdict: Verdict)]) -> PlanOutcome {
        precondition(!verdicts.isEmpty, "the pivot is always a candidate")
        let wanted = verdicts[0].resource
        for case (_, .judged(.served(let plan), let holding)) in verdicts {
            return .answer(plan, holding: holding, wanted: wanted)
        }
        switch verdicts[0].verdict {
        case .notHeld, .notNeeded, .judged(.served, _): return .cold(wanted)
        case .judged(.tooOld, _): return .tooOld(wanted)
        case .judged(.unknown(let problem), _): return .unknown(problem)
        }
    }

    /// What each candidate for a base has to say; those behind the first that serves aren't asked.
    func verdicts(
        base: Currency, wish: Wish, at now: Int64
    ) -> [(resource: Resource, verdict: Verdict)] {
        var isServed = false
        return candidates(for: base).map { candidate in
            let resource = Resource.latest(base: candidate)
            guard !isServed else { return (resource, .notNeeded) }
            guard let holding = holdings[resource] else { return (resource, .notHeld) }
            let judgement = Self.judge(holding, base: base, wish: wish, policy: policy, at: now)
            if case .served = judgement { isServed = true }
            return (resource, .judged(judgement, holding))
        }
    }

    /// What a candidate's table gives.
    enum Verdict {
        case notHeld
        case judged(Judgement, Holding)
        /// One before it serves.
        case notNeeded
    }

    enum Judgement {
        case served(SelectionPlan)
        case tooOld
        case unknown(Problem)
    }

    static func judge(
        _ holding: Holding, base: Currency, wish: Wish, policy: TierPolicy, at now: Int64
    ) -> Judgement {
        let table = holding.snapshot.table
        let age = holding.age(at: now)
        let (quotes, unknown): ([PairQuote], [Currency])
        do throws(Problem) {
            (quotes, unknown) = try Self.quotes(wish, of: base, in: table)
        } catch {
            return .unknown(error)
        }
        var (served, expired): ([QuoteStanding], [Currency]) = ([], [])
        for quote in quotes {
            let standing = QuoteStanding(quote, in: holding.snapshot, age: age, policy: policy)
            if standing.state == .expired { expired.append(quote.quote) } else { served.append(standing) }
        }
        if case .each = wish, !expired.isEmpty { return .tooOld }
        guard !served.isEmpty else {
            guard expired.isEmpty, let first = unknown.first else { return .tooOld }
            return .unknown(refusal(base, first))
        }
        let isByName = if case .all = wish { false } else { true }
        return .served(
            SelectionPlan(
                holding: holding, base: base, served: served, unknown: unknown, expired: expired,
                isByName: isByName, age: age, policy: policy))
    }

    /// The pairs of what is wanted, and the codes of it that the table doesn't have.
    ///
    /// - Throws: 422 for a base that it doesn't have, and for a code where each is needed.
    static func quotes(
        _ wish: Wish, of base: Currency, in table: RateTable
    ) throws(Problem) -> (known: [PairQuote], unknown: [Currency]) {
        guard base == table.base || table.entry(of: base) != nil else {
            throw noBase(base)
        }
        var (known, unknown): ([PairQuote], [Currency]) = ([], [])
        for code in codes(wish, of: base, in: table) {
            if let quote = try? PairQuote(base, code, in: table) {
                known.append(quote)
            } else {
                unknown.append(code)
            }
        }
        if case .each = wish, let first = unknown.first { throw refusal(base, first) }
        return (known, unknown)
    }

    private static func codes(_ wish: Wish, of base: Currency, in table: RateTable) -> [Currency] {
        switch wish {
        case .named(let codes), .each(let codes): return codes
        case .all:
            let codes = table.symbols.map(\.currency).filter { $0 != base && $0 != table.base }
            return base == table.base ? codes : (codes + [table.base]).sorted()
        }
    }

    static func noBase(_ base: Currency) -> Problem {
        Problem(
            .unsupportedBase,
            "\(base) is not a supported base currency; /v1/currencies lists those that there are."
        )
    }

    static func refusal(_ base: Currency, _ code: Currency) -> Problem {
        Problem(
            .invalidPair,
            "\(base)-\(code) is not supported: there are no rates of \(code); /v1/currencies lists those that there are."
        )
    }
}
