/// The waits that an answer's fields name, measured by upstream's clock.
struct NamedWaits: Hashable, Sendable {
    struct Wait: Hashable, Sendable {
        let length: Duration
        let basis: CooldownReading.Basis
    }

    let retryAfter: Wait?
    /// `X-RateLimit-Reset` and `RateLimit-Reset`, as far as they can be read.
    let resets: [Wait]

    init(_ answer: LimitAnswer, now: UnixMilliseconds) {
        let clock = answer.clock(now: now)
        retryAfter = answer.retryAfter.flatMap { RetryAfter($0, now: clock) }.map { field in
            switch field {
            case .seconds: Wait(length: field.wait(from: clock), basis: .retryAfterSeconds)
            case .date: Wait(length: field.wait(from: clock), basis: .retryAfterDate)
            }
        }
        let reset = answer.reset.flatMap { LimitReset($0, now: clock) }
            .map { Wait(length: $0.instant - clock, basis: .reset) }
        let draft = answer.draftReset.flatMap { LimitReset(draft: $0, now: clock) }
            .map { Wait(length: $0.instant - clock, basis: .draftReset) }
        resets = [reset, draft].compactMap(\.self)
    }

    /// All of them, the field to be believed most first.
    var all: [Wait] { [retryAfter].compactMap(\.self) + resets }

    /// The longest that speaks of a rate limit; of equal ones the field to be believed most.
    var longest: Wait? {
        let limits = all.filter { $0.basis.isRetryAfter || $0.length <= RemainingReading.hour }
        return (limits.isEmpty ? all : limits).reduce(nil) { best, wait in
            best.map { $0.length >= wait.length } ?? false ? best : wait
        }
    }
}

extension CooldownReading.Basis {
    fileprivate var isRetryAfter: Bool { self == .retryAfterSeconds || self == .retryAfterDate }
}
