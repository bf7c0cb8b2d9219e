extension UnixMilliseconds {
    /// The instant of a day and a time of day in UTC.
    package init(_ date: CivilDate, secondOfDay: Int = 0, millisecond: Int = 0) {
        self.init(Int64((date.daysSince1970 * Self.secondsOfDay + secondOfDay) * 1_000 + millisecond))
    }

    /// The day of this instant in UTC; the nearest one in the years 0 to 9999.
    package var date: CivilDate { CivilDate(daysSince1970: daysAndSecond.days) }

    /// 0 to 86399.
    package var secondOfDay: Int { daysAndSecond.second }

    /// RFC 3339 in UTC to the second, rounded down: `2026-06-16T14:02:03Z`.
    package var rfc3339: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        appendRFC3339(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// IMF-fixdate (RFC 9110, section 5.6.7), rounded down: `Tue, 16 Jun 2026 14:02:03 GMT`.
    package var httpDate: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        appendHTTPDate(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends what `rfc3339` says, as ASCII.
    package func appendRFC3339(to bytes: inout [UInt8]) {
        let date = date
        DecimalText.appendFour(date.year, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        DecimalText.appendTwo(date.month, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        DecimalText.appendTwo(date.day, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        appendTime(to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// Appends what `httpDate` says, as ASCII.
    package func appendHTTPDate(to bytes: inout [UInt8]) {
        let date = date
        bytes += DateNames.weekdays[date.weekday]
        bytes += ", ".utf8
        DecimalText.appendTwo(date.day, to: &bytes)
        bytes.append(UInt8(ascii: " "))
        bytes += DateNames.months[date.month - 1]
        bytes.append(UInt8(ascii: " "))
        DecimalText.appendFour(date.year, to: &bytes)
        bytes.append(UInt8(ascii: " "))
        appendTime(to: &bytes)
        bytes += " GMT".utf8
    }

    private func appendTime(to bytes: inout [UInt8]) {
        let second = secondOfDay
        DecimalText.appendTwo(second / 3_600, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        DecimalText.appendTwo(second / 60 % 60, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        DecimalText.appendTwo(second % 60, to: &bytes)
    }

    private var daysAndSecond: (days: Int, second: Int) {
        let milliseconds = Int(value)
        let millisecondsOfDay = Self.secondsOfDay * 1_000
        var (days, rest) = milliseconds.quotientAndRemainder(dividingBy: millisecondsOfDay)
        if rest < 0 {
            rest += millisecondsOfDay
            days -= 1
        }
        return (days, rest / 1_000)
    }

    private static let secondsOfDay = 86_400
}
