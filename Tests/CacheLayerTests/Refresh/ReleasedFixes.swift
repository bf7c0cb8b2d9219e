import TestSupport

@testable import CacheLayer
@testable import UpstreamSimulator

/// An upstream that shows the European Central Bank's own fixes, each some minutes before or after 16:00 in Frankfurt.
///
/// Days and hours are the simulator's calendar, which knows no time zone database: that of the code under test is checked
/// against it. Safe from any thread.
final class ReleasedFixes: Sendable {
    /// A fix: when it is due, and when upstream shows it.
    struct Release: Sendable {
        let due: UnixMilliseconds
        let shown: UnixMilliseconds
        let body: [UInt8]
    }

    /// In the order of their days.
    let releases: [Release]

    /// The fixes from one day to another, with a wobble of minutes for each.
    init(from first: CivilDate, to last: CivilDate, wobble: (Int) -> Int) {
        let start = SimulatedTime(day: CalendarDay(number: first.daysSince1970), hour: 0)
        let series = ReplaySeries(rates: .embedded, shift: .automatic, startingAt: start)
        var releases: [Release] = []
        for number in first.daysSince1970...last.daysSince1970 {
            let day = CalendarDay(number: number)
            guard !UpstreamSimulator.PublicationCalendar.isClosed(day) else { continue }
            let due = UpstreamSimulator.PublicationCalendar.publication(on: day)
            guard let fix = series.latestFix(at: due) else { continue }
            let instant = UnixMilliseconds(due.milliseconds)
            releases.append(
                Release(
                    due: instant, shown: instant + .seconds(Int64(60 * wobble(releases.count))),
                    body: Self.body(series.rates, row: fix.row, at: due.text)))
        }
        self.releases = releases
    }

    /// The newest one that is shown at an instant.
    func newest(at now: UnixMilliseconds) -> Release? { releases.last { $0.shown <= now } }

    /// What a call brings: the bank's table, let in like any answer.
    func answer(_ order: FetchOrder) -> FetchOutcome {
        guard let release = newest(at: order.storeNow()) else { return .failed(reason: "not_out") }
        do throws(IngestError) {
            let ingested = try Ingest.table(
                from: release.body, status: 200, contentType: "application/json", expecting: .sample("EUR"),
                held: order.held, storeNow: order.storeNow(), interval: order.interval, band: .standard)
            return .answered(ingested, .none)
        } catch {
            return .failed(reason: error.reason)
        }
    }

    private static func body(_ rates: ECBRates, row: Int, at time: String) -> [UInt8] {
        let pairs = zip(rates.symbols, rates.texts(ofRow: row)).compactMap { code, text in
            text.map { "\"\(code)\":\($0)" }
        }
        return Array(
            #"{"result":"success","base":"EUR","source":"ecb_daily","market_session":"open","data_updated_at":"\#(time)","rates":{\#(pairs.joined(separator: ","))}}"#
                .utf8)
    }
}

extension ReleasedFixes {
    /// The first publication after an instant, by the simulator's calendar.
    static func due(after instant: UnixMilliseconds) -> UnixMilliseconds {
        var day = SimulatedTime(milliseconds: instant.value).day
        while true {
            let due = UnixMilliseconds(
                UpstreamSimulator.PublicationCalendar.publication(on: day).milliseconds)
            if !UpstreamSimulator.PublicationCalendar.isClosed(day), due > instant { return due }
            day = day + 1
        }
    }
}
