public import Foundation

/// An answer whose rates were fresh when it was looked at.
///
/// Can't be made in any other way than by asking an answer for it, so a function that takes a `Fresh<Rate>` can't be given a
/// stale one unawares. The members of the answer are reached directly: `price.rate`.
@dynamicMemberLookup
public struct Fresh<Value: Labelled & Sendable>: Sendable {
    /// The answer.
    public let value: Value
    /// Until when it counts as fresh; `distantFuture` where it is final.
    public let until: Date

    init(_ value: Value, until: Date) {
        self.value = value
        self.until = until
    }

    /// A member of the answer.
    public subscript<Member>(dynamicMember path: KeyPath<Value, Member>) -> Member { value[keyPath: path] }

    /// Whether it still counts as fresh; ask before using one that was kept.
    public func isFresh(at now: Date = Date()) -> Bool { now < until }
}

extension Labelled {
    /// How fresh the rates are at a moment, all of them: one symbol that is stale on its own makes the answer stale.
    ///
    /// - Parameter now: the moment, by a clock that agrees with the gateway's.
    /// - Returns: the state at that moment.
    public func freshness(at now: Date = Date()) -> Freshness {
        Freshness(labels.cache, isMarked: !labels.staleSymbols.isEmpty, at: now)
    }

    /// How fresh the rate of one symbol is at a moment.
    ///
    /// In an answer that is fresh as a whole its own mark counts, those of others don't. An answer whose state is late or stale
    /// doesn't say of which symbols it is: then all are.
    public func freshness(of symbol: String, at now: Date = Date()) -> Freshness {
        Freshness(labels.cache, isMarked: labels.staleSymbols.contains(symbol.uppercased()), at: now)
    }
}

extension Labelled where Self: Sendable {
    /// This answer as one that is fresh.
    ///
    /// - Parameter now: the moment, by a clock that agrees with the gateway's.
    /// - Returns: this answer, and until when it is fresh.
    /// - Throws: `notFresh` with what it is instead. Answers of upstream itself always: nobody vouches for their state.
    public func fresh(at now: Date = Date()) throws(ExchangeRateError) -> Fresh<Self> {
        switch freshness(at: now) {
        case .fresh(let until): return Fresh(self, until: until)
        case .settled: return Fresh(self, until: .distantFuture)
        case let other: throw .notFresh(other)
        }
    }
}
