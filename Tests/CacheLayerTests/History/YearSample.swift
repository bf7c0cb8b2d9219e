@testable import CacheLayer

/// Years and pages of rows to test with.
enum YearSample {
    static let usd = Currency.sample("USD")

    static func day(_ text: String) -> CivilDate {
        guard let day = CivilDate(parsing: text.utf8) else { preconditionFailure("\(text) is no day") }
        return day
    }

    static func rate(_ text: String) -> Rate {
        guard let rate = try? Rate(json: text) else { preconditionFailure("\(text) is no rate") }
        return rate
    }

    static func entry(
        _ date: String, _ rates: [String: String], filled: Bool = false, source: Source = .ecbDaily
    ) -> YearTable.Entry {
        YearTable.Entry(
            date: day(date), source: source, isForwardFilled: filled,
            rates: Dictionary(
                uniqueKeysWithValues: rates.map { (Currency.sample($0.key), rate($0.value)) }))
    }

    static func table(
        _ year: Int, _ entries: [YearTable.Entry], isComplete: Bool = true
    ) -> YearTable {
        YearTable(base: usd, year: year, entries: entries, isComplete: isComplete)
    }

    /// A year of weekday rows from 24 December of the year before to a day, each with one rate.
    static func full(_ year: Int, through end: String? = nil, isComplete: Bool = true) -> YearTable {
        let last = day(end ?? "\(year)-12-31")
        var date = max(day("\(year - 1)-12-24"), YearSpan.firstDay)
        var entries: [YearTable.Entry] = []
        while date <= last {
            if (1...5).contains(date.weekday) {
                entries.append(
                    YearTable.Entry(
                        date: date, source: .ecbDaily,
                        isForwardFilled: !PublicationCalendar.isTargetDay(date),
                        rates: [.sample("EUR"): rate("0.9\(String(date.daysSince1970))")]))
            }
            date = date.advanced(by: 1)
        }
        return table(year, entries, isComplete: isComplete)
    }

    static func snapshot(
        _ year: YearTable, fetchedAt: UnixMilliseconds, token: Int64 = 1, interval: Duration = .seconds(60)
    ) -> RateSnapshot {
        guard let newest = year.newestTable else { preconditionFailure("a year has rows") }
        return RateSnapshot(
            id: SnapshotID(fetchedAt: fetchedAt, digest: [1, 2, 3, 4]),
            resource: .year(base: year.base, year: year.year), token: FencingToken(token),
            fetchedAt: fetchedAt, interval: interval, table: newest, year: year)
    }

    /// A page as upstream writes it.
    static func page(
        _ rows: [(date: String, rates: String, filled: Bool)], base: String = "USD", hasMore: Bool = false
    ) -> [UInt8] {
        let data = rows.map {
            #"{"date":"\#($0.date)","rates":{\#($0.rates)},"source":"ecb_daily","is_forward_filled":\#($0.filled)}"#
        }
        return Array(
            (#"{"result":"success","base":"\#(base)","start_date":"x","end_date":"y","data":["#
                + data.joined(separator: ",")
                + #"],"has_more":\#(hasMore),"next_cursor":null}"#).utf8)
    }
}
