import CacheLayer
import TestSupport

@testable import FXGateway

/// Years of the dollar to answer from.
enum SampleYear {
    /// Tuesday, 16 June 2026, 14:02:03 UTC: as the tables of `SampleTable`.
    static let fetchedAt = SampleTable.fetchedAt

    static func day(_ text: String) -> CivilDate {
        guard let day = CivilDate(parsing: text.utf8) else { preconditionFailure("\(text) is no day") }
        return day
    }

    /// Weekday rows from 24 December of the year before, with 1 January and the days of `holidays` filled; the n-th row's
    /// euro is 0.8000 and n in its last digits.
    static func table(
        _ year: Int, through end: String? = nil, holidays: Set<String> = [], isComplete: Bool = true
    ) -> YearTable {
        let last = end.map(day) ?? CivilDate(year: year, month: 12, day: 31) ?? YearSpan.firstDay
        var date = max(CivilDate(year: year - 1, month: 12, day: 24) ?? last, YearSpan.firstDay)
        var entries: [YearTable.Entry] = []
        while date <= last {
            if (1...5).contains(date.weekday) {
                let number = String(10_000 + entries.count).dropFirst()
                let isFilled = holidays.contains(date.text) || (date.month, date.day) == (1, 1)
                entries.append(
                    YearTable.Entry(
                        date: date, source: .ecbDaily, isForwardFilled: isFilled,
                        rates: [
                            .eur: SampleTable.rate("0.8\(number)"), .jpy: SampleTable.rate("150.\(number)0"),
                            .gbp: SampleTable.rate("0.75"),
                        ]))
            }
            date = date.advanced(by: 1)
        }
        return YearTable(base: .usd, year: year, entries: entries, isComplete: isComplete)
    }

    static func snapshot(
        _ year: YearTable, fetchedAt: UnixMilliseconds = fetchedAt, token: Int64 = 1
    ) -> RateSnapshot {
        guard let newest = year.newestTable else { preconditionFailure("a year has rows") }
        return RateSnapshot(
            id: SnapshotID(fetchedAt: fetchedAt, digest: [UInt8(year.year % 100), UInt8(token), 3, 4]),
            resource: .year(base: year.base, year: year.year), token: FencingToken(token),
            fetchedAt: fetchedAt, interval: .seconds(60), table: newest, year: year)
    }
}

extension GatewayRig {
    /// Has all loops adopt a year that was fetched when the clocks began to stand still.
    func hold(
        _ year: YearTable, fetchedAt: UnixMilliseconds = SampleYear.fetchedAt,
        condition: RefreshCondition = .idle, isOwnFetch: Bool = false, token: Int64 = 1
    ) async {
        let snapshot = SampleYear.snapshot(year, fetchedAt: fetchedAt, token: token)
        let adopted = Adopted(snapshot, storeNow: time.wall, arrived: time.source.now())
        await show(
            snapshot.resource, ResourceView(adopted: adopted, condition: condition), isOwnFetch: isOwnFetch)
    }
}
