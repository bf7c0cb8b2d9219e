import CECBRates

/// The European Central Bank's reference rates that are embedded in the program, row by row.
///
/// Only the place and the day of each row are kept (about 110 KB); digits are read from the embedded text when they are
/// asked for, so they are the bank's own, untouched. Built on first use.
///
/// Sendable: everything is constant, and the embedded text is in the program's read-only data.
final class ECBRates: @unchecked Sendable {
    static let embedded = ECBRates(
        text: UnsafeBufferPointer(start: fxgw_ecb_rates_start(), count: fxgw_ecb_rates_length))

    /// The currencies in the order of the file's columns; EUR, the base of all, isn't among them.
    let symbols: [String]
    private let text: UnsafeBufferPointer<UInt8>
    /// Where each row's first rate begins; newest first.
    private let starts: [UInt32]
    private let days: [Int32]

    init(text: UnsafeBufferPointer<UInt8>) {
        self.text = text
        var starts: [UInt32] = []
        var days: [Int32] = []
        starts.reserveCapacity(8_000)
        days.reserveCapacity(8_000)
        let header = Self.line(of: text, from: 0)
        symbols = String(decoding: text[header], as: UTF8.self).split(separator: ",").dropFirst().map {
            $0.hasSuffix("\r") ? String($0.dropLast()) : String($0)
        }.filter { !$0.isEmpty }
        var position = header.upperBound + 1
        while position < text.count {
            let line = Self.line(of: text, from: position)
            if let day = CalendarDay(parsing: String(decoding: text[line].prefix(10), as: UTF8.self)) {
                starts.append(UInt32(position + 11))
                days.append(Int32(day.number))
            }
            position = line.upperBound + 1
        }
        self.starts = starts
        self.days = days
    }

    var rowCount: Int { days.count }

    func day(ofRow row: Int) -> CalendarDay { CalendarDay(number: Int(days[row])) }

    /// The newest row at or before `day`; nil if all are later.
    func row(onOrBefore day: CalendarDay) -> Int? {
        var low = 0
        var high = days.count
        while low < high {
            let middle = (low + high) / 2
            if Int(days[middle]) <= day.number { high = middle } else { low = middle + 1 }
        }
        return low < days.count ? low : nil
    }

    /// The digits of a row by column; nil where the bank fixed none that day.
    func texts(ofRow row: Int) -> [String?] {
        var texts: [String?] = []
        texts.reserveCapacity(symbols.count)
        var position = Int(starts[row])
        for _ in symbols {
            let start = position
            while position < text.count, !Self.endsField(text[position]) { position += 1 }
            texts.append(
                start == position ? nil : String(decoding: text[start..<position], as: UTF8.self))
            // A line that ends early leaves the rest of its columns empty.
            if position < text.count, text[position] == UInt8(ascii: ",") { position += 1 }
        }
        return texts
    }

    private static func endsField(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    /// The line that begins at `position`, without its line feed.
    private static func line(of text: UnsafeBufferPointer<UInt8>, from position: Int) -> Range<Int> {
        guard let base = text.baseAddress else { return position..<text.count }
        return position..<(position + fxgw_ecb_line_length(base + position, text.count - position))
    }
}
