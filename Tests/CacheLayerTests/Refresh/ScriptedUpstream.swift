import EventLoop
import TestSupport

@testable import CacheLayer

/// The upstream side of all instances of a test: what each call brings, and what calls there were.
///
/// Safe from any thread. A call that isn't scripted brings a new table of its moment.
final class ScriptedUpstream: Sendable {
    enum Step: Sendable {
        /// A table of that data time.
        case table(Source = .live, dataTime: UnixMilliseconds? = nil)
        /// Rows of the year asked for, behind those that are held: at most so many.
        case rows(atMost: Int)
        /// A list of currencies with these decimals.
        case list([String: Int])
        case outcome(FetchOutcome)
        /// What comes of the order, with what is held in it.
        case answer(@Sendable (FetchOrder) -> FetchOutcome)
        /// The step, after a time by the test's clock; a cancelled wait is cut off.
        indirect case after(Duration, Step)
        /// Neither ends nor minds being cancelled, until the test is over.
        case deaf
        /// The step, after something was done.
        indirect case first(@Sendable () async -> Void, Step)
    }

    private struct State {
        var steps: [Step] = []
        var always: Step?
        var orders: [FetchOrder] = []
        var instants: [UnixMilliseconds] = []
        var open = 0
        var mostOpen = 0
        var deaf: [CheckedContinuation<Void, Never>] = []
        var isOver = false
    }

    private let state = Locked(State())
    private let time: ManualTime

    init(time: ManualTime) { self.time = time }

    func next(_ steps: Step...) { state.withLock { $0.steps += steps } }
    func always(_ step: Step?) { state.withLock { $0.always = step } }

    /// The calls that left, in their order.
    var orders: [FetchOrder] { state.withLock { $0.orders } }
    var calls: Int { orders.count }
    /// When each of them left.
    var instants: [UnixMilliseconds] { state.withLock { $0.instants } }
    /// How many were under way at once.
    var mostOpen: Int { state.withLock { $0.mostOpen } }

    /// Ends what would never end.
    func end() {
        let deaf = state.withLock { state in
            state.isOver = true
            defer { state.deaf = [] }
            return state.deaf
        }
        for call in deaf { call.resume() }
    }

    func fetch(_ order: FetchOrder) async -> FetchOutcome {
        guard order.mayStart() else { return .unsent }
        let step = state.withLock { state in
            state.orders.append(order)
            state.instants.append(time.wall)
            state.open += 1
            state.mostOpen = max(state.mostOpen, state.open)
            return state.steps.isEmpty
                ? state.always ?? Self.standard(order.resource)
                : state.steps.removeFirst()
        }
        defer { state.withLock { $0.open -= 1 } }
        return await outcome(of: step, order)
    }

    private static func standard(_ resource: Resource) -> Step {
        switch resource {
        case .year: .rows(atMost: 366)
        case .currencies: .list(["EUR": 2, "JPY": 0])
        case .latest, .account: .table()
        }
    }

    private func outcome(of step: Step, _ order: FetchOrder) async -> FetchOutcome {
        switch step {
        case .outcome(let outcome): return outcome
        case .answer(let answer): return answer(order)
        case .table(let source, let dataTime):
            return .answered(Self.ingested(order, source: source, dataTime: dataTime), .none)
        case .list(let decimals): return .answered(Self.list(order, decimals), .none)
        case .rows(let most): return .answered(Self.page(order, atMost: most), .none)
        case .first(let act, let step):
            await act()
            return await outcome(of: step, order)
        case .after(let wait, let step):
            do { try await time.source.sleep(wait) } catch { return .cutOff }
            return await outcome(of: step, order)
        case .deaf:
            await withCheckedContinuation { call in
                let isOver = state.withLock { state in
                    if !state.isOver { state.deaf.append(call) }
                    return state.isOver
                }
                if isOver { call.resume() }
            }
            return .failed(reason: "late")
        }
    }

    /// A live table of the dollar with this data time.
    static func ingestedNow(_ instant: UnixMilliseconds) -> Ingested {
        ingested(base: .sample("USD"), source: .live, instant: instant)
    }

    private static func list(_ order: FetchOrder, _ decimals: [String: Int]) -> Ingested {
        let items = decimals.sorted { $0.key < $1.key }.map {
            #"{"code":"\#($0.key)","decimals":\#($0.value)}"#
        }
        let body = #"{"result":"success","currencies":[\#(items.joined(separator: ","))]}"#
        guard
            let ingested = try? Ingest.currencies(
                from: Array(body.utf8), status: 200, contentType: nil, storeNow: order.storeNow())
        else { preconditionFailure("\(body) is a list") }
        return ingested
    }

    /// What upstream would answer to a year's order, with pages of so many rows.
    private static func page(_ order: FetchOrder, atMost most: Int) -> Ingested {
        guard case .year(let base, let number) = order.resource,
            let span = YearSpan(year: number, held: order.heldYear, today: order.storeNow().date)
        else { preconditionFailure("\(order.resource) has no rows") }
        let earlier = order.heldYear.flatMap { $0.isComplete ? nil : $0.entries } ?? []
        let all = YearSample.full(number, through: span.last.text).entries.filter {
            $0.date >= span.first && PublicationCalendar.ecb.publication(on: $0.date) <= order.storeNow()
        }
        let year = YearTable(
            base: base, year: number, entries: earlier + all.prefix(most), isComplete: all.count <= most)
        guard let newest = year.newestTable else { preconditionFailure("a year has rows") }
        let digest = ContentDigest(of: Array("\(order.resource) \(year.rows.count)".utf8))
        return Ingested(table: newest, year: year, digest: digest, notes: IngestNotes())
    }

    private static func ingested(_ order: FetchOrder, source: Source, dataTime: UnixMilliseconds?) -> Ingested
    {
        let base: Currency = if case .latest(let base) = order.resource { base } else { .sample("USD") }
        return ingested(base: base, source: source, instant: dataTime ?? order.storeNow())
    }

    private static func ingested(base: Currency, source: Source, instant: UnixMilliseconds) -> Ingested {
        let table = RateTable(
            base: base, source: source, marketSession: nil, timestamp: nil,
            dataTime: Timestamp(text: instant.rfc3339, instant: instant),
            symbols: [.sample("GBP", source), .sample("JPY", source)], hasSources: true,
            hasEffectiveAt: false, notice: nil)
        let digest = ContentDigest(of: Array("\(base) \(source.name) \(instant.value)".utf8))
        return Ingested(table: table, digest: digest, notes: IngestNotes())
    }
}
