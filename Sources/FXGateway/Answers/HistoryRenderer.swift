import CacheLayer

/// Writes the bodies of past days and ranges, in upstream's order of keys, with what is ours at the end.
///
/// Pure, like `BodyRenderer`.
enum HistoryRenderer {
    /// `/v1/range` as JSON.
    static func json(_ page: RangePage) -> [UInt8] {
        let form = page.query.numbers
        var json = JSONText(reserving: 512 + page.rows.reduce(0) { $0 + 96 + 24 * $1.quotes.count })
        json.beginObject()
        json.member("result", string: "success")
        json.member("base", string: page.query.base.code)
        json.member("start_date", string: page.query.start.text)
        json.member("end_date", string: page.query.end.text)
        json.name("data")
        json.beginArray()
        for row in page.rows {
            json.beginObject()
            json.member("date", string: row.date.text)
            json.name("rates")
            json.beginObject()
            for quote in row.quotes {
                json.name(quote.quote.code)
                json.number(quote.rate.text, form)
            }
            json.endObject()
            json.member("source", string: row.source.name)
            json.member("is_forward_filled", boolean: row.isForwardFilled)
            json.endObject()
        }
        json.endArray()
        json.member("has_more", boolean: page.next != nil)
        json.name("next_cursor")
        if let next = page.next {
            json.string(RangeCursor.text(after: next, of: page.query))
        } else {
            json.verbatim("null")
        }
        if let notice = page.worst.snapshot.table.notice { json.member("notice", string: notice) }
        json.member("unavailable", codes: page.unavailable)
        appendCache(page, to: &json)
        json.endObject()
        return json.bytes
    }

    /// `/v1/range` as comma-separated values: a line for each row, a column for each symbol; empty where a day has no rate.
    static func csv(_ page: RangePage) -> [UInt8] {
        let codes =
            page.query.symbols?.codes ?? Set(page.rows.flatMap { $0.quotes.map(\.quote) }).sorted()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 + page.rows.count * (32 + 20 * codes.count))
        bytes += "date".utf8
        for code in codes { bytes += ",\(code.code)".utf8 }
        bytes += ",source,is_forward_filled\n".utf8
        for row in page.rows {
            bytes += row.date.text.utf8
            var quotes = row.quotes[...]
            for code in codes {
                bytes.append(UInt8(ascii: ","))
                guard quotes.first?.quote == code, let quote = quotes.popFirst() else { continue }
                bytes += quote.rate.text.utf8
            }
            bytes += ",\(row.source.name),\(row.isForwardFilled)\n".utf8
        }
        return bytes
    }

    private static func appendCache(_ page: RangePage, to json: inout JSONText) {
        json.name("cache")
        json.beginObject()
        json.member("state", string: page.state.name)
        if let reason = page.reason { json.member("reason", string: reason.rawValue) }
        let ids = page.years.map(\.snapshot.id.text)
        if ids.count == 1 {
            json.member("snapshot", string: ids[0])
        } else {
            json.name("snapshots")
            json.beginArray()
            for id in ids { json.string(id) }
            json.endArray()
        }
        json.member("fetched_at", string: page.worst.snapshot.fetchedAt.rfc3339)
        if !page.isSettled { json.member("fresh_until", string: page.freshUntil.rfc3339) }
        let quotes = page.rows.lazy.flatMap(\.quotes).filter { $0.derivation != .identity }
        let derivation: PairDerivation =
            if quotes.contains(where: { $0.derivation == .cross }) {
                .cross
            } else if let first = quotes.first {
                first.derivation
            } else {
                page.query.base == page.worst.snapshot.table.base ? .direct : .identity
            }
        json.member("derivation", string: derivation.rawValue)
        if derivation.isDerived {
            json.member("via", string: page.worst.snapshot.table.base.code)
            if let bound = quotes.compactMap(\.derivationBpsMax).max() {
                json.member("derivation_bps_max", verbatim: bound.description)
            }
        }
        json.endObject()
    }
}
