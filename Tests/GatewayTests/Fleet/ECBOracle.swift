import Foundation

/// What the European Central Bank's file says of a day, read by another way than the product's: text and `Decimal`.
struct ECBOracle {
    /// Days of the file and all weekdays between them, which carry the fix before; in their order.
    let days: [Day]

    struct Day {
        let date: String
        let isForwardFilled: Bool
        /// Units for one euro, in the bank's digits; the euro itself is 1.
        let rates: [String: String]
    }

    /// Every currency that the file has.
    let codes: [String]

    init() throws {
        let lines = try ProjectFiles.text("Sources/CECBRates/ecb-rates.csv").split(separator: "\n")
        let columns = lines[0].split(separator: ",").dropFirst().map(String.init)
        var fixes: [String: [String: String]] = [:]
        for line in lines.dropFirst() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            var rates = ["EUR": "1"]
            for (code, value) in zip(columns, fields.dropFirst()) where !value.isEmpty { rates[code] = value }
            fixes[fields[0]] = rates
        }
        let dates = fixes.keys.sorted()
        let format = Date.ISO8601FormatStyle().year().month().day()
        var date = try format.parse(dates[0])
        let last = try format.parse(dates[dates.count - 1])
        var days: [Day] = []
        var carried: [String: String] = [:]
        var weekday = 1  // 1999-01-04 was a Monday.
        while date <= last {
            let text = date.formatted(format)
            let own = fixes[text]
            carried = own ?? carried
            if weekday <= 5 { days.append(Day(date: text, isForwardFilled: own == nil, rates: carried)) }
            weekday = weekday % 7 + 1
            date += 86_400
        }
        self.days = days
        codes = ["EUR"] + columns.filter { !$0.isEmpty }
    }

    /// The row that holds for a day: its own, or the last one before it.
    func day(onOrBefore date: String) -> Day? {
        let place = place(after: date)
        return place > 0 ? days[place - 1] : nil
    }

    /// The rows of a span that have a rate of the pair.
    func rows(_ start: String, _ end: String, _ base: String, _ quote: String) -> [Day] {
        days[..<place(after: end)].reversed().prefix { $0.date >= start }.reversed()
            .filter { $0.rates[base] != nil && $0.rates[quote] != nil }
    }

    /// How many days aren't after one.
    private func place(after date: String) -> Int {
        var low = 0
        var high = days.count
        while low < high {
            let middle = (low + high) / 2
            if days[middle].date > date { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// A decimal's digits as one number, and how many of them are decimals.
    struct Digits {
        let number: Int128
        let decimals: Int

        init(number: Int128, decimals: Int) {
            self.number = number
            self.decimals = decimals
        }

        init?(_ text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count <= 2, let number = Int128(parts.joined()) else { return nil }
            self.number = number
            decimals = parts.count == 2 ? parts[1].count : 0
        }

        /// The same number with so many decimals.
        func widened(to decimals: Int) -> Int128 {
            (self.decimals..<max(decimals, self.decimals)).reduce(number) { number, _ in number * 10 }
        }
    }

    /// How far `rate` units of one currency for one of the other are from what the bank's rates of both say, as a part of it.
    ///
    /// The difference is exact; only its share of the whole is a rounded number.
    static func error(of rate: Digits, from: Digits, to: Digits) -> Double {
        let decimals = max(rate.decimals + from.decimals, to.decimals)
        let product = Digits(number: rate.number * from.number, decimals: rate.decimals + from.decimals)
        let whole = to.widened(to: decimals)
        let difference = product.widened(to: decimals) - whole
        return abs(Double(difference)) / Double(whole)
    }
}
