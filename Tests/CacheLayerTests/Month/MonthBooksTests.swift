import Testing

@testable import CacheLayer
@testable import TestSupport

/// What the simulation of a month would see if a promise were broken.
@Suite("The books of a simulated month")
struct MonthBooksTests {
    private static let usd = Resource.latest(base: .sample("USD"))
    private let settings: MonthSettings
    private let noon: UnixMilliseconds

    init() throws {
        let month = try #require(Month(text: "2026-03"))
        settings = MonthSettings(
            seed: 5, plan: 100, liveTTL: .seconds(60), month: month, bases: [.sample("USD")])
        noon = month.start + .seconds(43_200)
    }

    private func call(_ counted: Int, status: Int = 200) -> MonthUpstream.Call {
        MonthUpstream.Call(
            slot: 0, resource: Self.usd, interval: .seconds(300), status: status, counted: counted,
            latency: .zero)
    }

    private func ledger(_ counted: Int64) -> InMemoryRateStore.Ledger {
        InMemoryRateStore.Ledger(month: settings.month, counted: counted, isOpen: true)
    }

    @Test("name the seed and the instant of a refusal by upstream")
    func refused() {
        var books = MonthBooks(settings: settings)
        books.call(call(1), ledger: ledger(1), at: noon)
        #expect(books.violations.isEmpty)
        books.call(call(1, status: 429), ledger: ledger(2), at: noon + .seconds(300))
        #expect(
            books.violations.map(\.description) == [
                "seed 5, 2026-03-01T12:05:00Z: upstream answers latest:USD with 429"
            ])
    }

    @Test("see a ledger below upstream's count, and one above the plan")
    func ledgers() {
        var books = MonthBooks(settings: settings)
        books.call(call(2), ledger: ledger(2), at: noon)
        books.watch(ledger(100), at: noon)
        #expect(books.violations.isEmpty)
        books.call(call(3), ledger: ledger(2), at: noon + .seconds(300))
        books.watch(ledger(101), at: noon + .seconds(300))
        #expect(books.violations.count == 2)
    }

    @Test("allow one call before its time for each fault, and only in the interval in which it struck")
    func early() {
        var books = MonthBooks(settings: settings)
        books.call(call(1), ledger: nil, at: noon)
        books.lostLease(Self.usd, at: noon + .seconds(1))
        books.call(call(2), ledger: nil, at: noon + .seconds(17))
        #expect(books.violations.isEmpty && books.extraCalls == 1)
        books.call(call(3), ledger: nil, at: noon + .milliseconds(316_999))
        #expect(books.violations.count == 1 && books.extraCalls == 1)
        books.storeLoss(at: noon + .seconds(400))
        books.call(call(4), ledger: nil, at: noon + .seconds(617))
        books.call(call(5), ledger: nil, at: noon + .seconds(700))
        #expect(books.violations.count == 2 && books.extraCalls == 1)
    }

    @Test("want 85 % of what can be used, and one roll at each end of the month")
    func close() {
        var books = MonthBooks(settings: settings)
        for minute in 0..<100 {
            books.request(for: Self.usd, age: .zero, at: noon + .seconds(60 * minute))
        }
        #expect(books.useful == 100)
        let months = [Month(containing: settings.start), settings.month, settings.month.next]
        for month in months {
            books.watch(
                InMemoryRateStore.Ledger(month: month, counted: 84, isOpen: true), at: month.start)
        }
        books.call(call(84), ledger: nil, at: noon)
        books.close(at: settings.end)
        #expect(books.violations.count == 1)
        books.call(call(85), ledger: nil, at: noon + .seconds(300))
        books.watch(ledger(85), at: settings.end)
        #expect(books.violations.count == 2, "the ledger goes back a month")
    }
}
