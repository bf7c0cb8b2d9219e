/// Bodies in the upstream's shapes and key order, compact, with a script's overrides applied.
struct UpstreamBody {
    let overrides: AnswerOverrides

    init(overrides: AnswerOverrides = .none) { self.overrides = overrides }

    /// What a table or pair answer says beside its rates.
    struct Frame {
        let session: MarketSession
        /// When the answer is made.
        let timestamp: SimulatedTime
        let notice: String
    }

    // MARK: - Tables

    /// The latest table of a base.
    func latest(base: String, rates: [QuotedRate], fixedAt: SimulatedTime, frame: Frame) -> String {
        let shown = overridden(rates, isTable: true)
        return object([
            ("result", text("success")), ("base", text(base)), ("source", source(of: rates)),
            ("sources", sources(shown)), ("effective_at", effectiveTimes(shown)),
            ("market_session", session(frame)), ("timestamp", text(frame.timestamp.text)),
            ("data_updated_at", dataTime(of: rates, or: fixedAt)), ("rates", tokens(shown)),
            ("notice", text(frame.notice)),
        ])
    }

    /// The table of one past day; `date` is the day asked for.
    func historical(base: String, day: CalendarDay, rates: [QuotedRate], fix: ReplayFix, frame: Frame)
        -> String
    {
        let shown = overridden(rates, isTable: true)
        return object([
            ("result", text("success")), ("base", text(base)), ("date", text(day.text)),
            ("source", source(of: rates)), ("sources", sources(shown)),
            ("timestamp", text(frame.timestamp.text)),
            ("data_updated_at", dataTime(of: rates, or: fix.publishedAt)), ("rates", tokens(shown)),
            ("is_forward_filled", fix.isForwardFilled ? "true" : "false"), ("notice", text(frame.notice)),
        ])
    }

    /// One row of a range.
    struct Row {
        let day: CalendarDay
        let rates: [QuotedRate]
        let isForwardFilled: Bool
    }

    /// One page of a range.
    func range(base: String, start: String, end: String, rows: [Row], nextCursor: String?) -> String {
        let data = rows.map { row in
            JSONText.object([
                ("date", text(row.day.text)), ("rates", tokens(overridden(row.rates))),
                ("source", source(of: row.rates)),
                ("is_forward_filled", row.isForwardFilled ? "true" : "false"),
            ])
        }
        return object([
            ("result", text("success")), ("base", text(base)), ("start_date", text(start)),
            ("end_date", text(end)), ("data", JSONText.array(data)),
            ("has_more", nextCursor == nil ? "false" : "true"),
            ("next_cursor", nextCursor.map(text) ?? "null"),
        ])
    }

    /// A range as comma-separated values: one line for each row, one column for each symbol.
    func csv(rows: [Row], symbols: [String]) -> String {
        var lines = [(["date"] + symbols + ["source", "is_forward_filled"]).joined(separator: ",")]
        for row in rows {
            let shown = overridden(row.rates)
            let values = symbols.map { symbol in shown.first { $0.symbol == symbol }?.token ?? "" }
            lines.append(
                ([row.day.text] + values
                    + [
                        overrides.source ?? RateSource.ecbDaily.rawValue,
                        row.isForwardFilled ? "true" : "false",
                    ])
                    .joined(separator: ","))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: - Pairs

    /// A single rate; `pair` is the slug as it was asked for.
    func rate(pair: String, base: String, rate: QuotedRate, frame: Frame) -> String {
        let shown = overridden([rate])
        return object([
            ("result", text("success")), ("pair", text(pair)), ("base", text(base)),
            ("quote", text(rate.symbol)), ("rate", shown.first?.token ?? "null"),
            ("source", source(of: [rate])), ("sources", sources(shown)), ("market_session", session(frame)),
            ("timestamp", text(frame.timestamp.text)), ("data_updated_at", dataTime(of: [rate], or: nil)),
            ("derived", derived(rate)), ("derivation_bps_max", derivation(rate)),
            ("notice", text(frame.notice)),
        ])
    }

    /// One conversion of the GET form.
    func conversion(from: String, _ one: Conversion, frame: Frame) -> String {
        object([
            ("result", text("success")), ("from", text(from)), ("to", text(one.rate.symbol)),
            ("amount", one.amount.plainText), ("rate", token(one.rate)),
            ("converted", one.converted.plainText), ("derived", derived(one.rate)),
            ("derivation_bps_max", derivation(one.rate)), ("source", source(of: [one.rate])),
            ("sources", sources([one.rate])), ("market_session", session(frame)),
            ("timestamp", text(frame.timestamp.text)), ("data_updated_at", dataTime(of: [one.rate], or: nil)),
            ("notice", text(frame.notice)),
        ])
    }

    /// The conversions of the POST form.
    func conversions(from: String, _ all: [Conversion], frame: Frame) -> String {
        let items = all.map { one in
            JSONText.object([
                ("to", text(one.rate.symbol)), ("amount", one.amount.plainText), ("rate", token(one.rate)),
                ("converted", one.converted.plainText), ("derived", derived(one.rate)),
                ("derivation_bps_max", derivation(one.rate)), ("source", source(of: [one.rate])),
            ])
        }
        let rates = all.map(\.rate)
        var seen: Set<String> = []
        let distinct = rates.filter { seen.insert($0.symbol).inserted }
        return object([
            ("result", text("success")), ("from", text(from)), ("conversions", JSONText.array(items)),
            ("sources", sources(distinct)), ("market_session", session(frame)),
            ("timestamp", text(frame.timestamp.text)), ("data_updated_at", dataTime(of: rates, or: nil)),
            ("notice", text(frame.notice)),
        ])
    }

    // MARK: - Lists

    func currencies(_ codes: [String]) -> String {
        let items = codes.map { code in
            JSONText.object([
                ("code", text(code)), ("name", text(CurrencyNames.name(of: code))), ("type", text("fiat")),
                ("decimals", String(CurrencyNames.decimals(of: code))), ("derived", "false"),
            ])
        }
        return object([("result", text("success")), ("currencies", JSONText.array(items))])
    }

    func account(maskedKey: String, calls: Int, limit: Int?, resetsOn: CalendarDay) -> String {
        let usage = JSONText.object([
            ("calls_this_month", String(calls)), ("limit", limit.map(String.init) ?? "null"),
            ("resets_on", text(resetsOn.text)),
        ])
        return object([
            ("result", text("success")), ("email", text("dev@example.com")), ("org", text("Example GmbH")),
            ("key", text(maskedKey)), ("usage", usage),
        ])
    }

    func error(_ error: UpstreamError) -> String {
        object([("result", text("error")), ("code", text(error.code)), ("message", text(error.message))])
    }

    // MARK: - Parts

    private func object(_ members: [(name: String, value: String)]) -> String {
        guard !overrides.fields.isEmpty else { return JSONText.object(members) }
        var changed = members.compactMap { name, value -> (name: String, value: String)? in
            guard let other = overrides.fields[name] else { return (name, value) }
            return other.map { (name, $0) }
        }
        for (name, value) in overrides.fields.sorted(by: { $0.key < $1.key }) {
            guard let value, !members.contains(where: { $0.name == name }) else { continue }
            changed.append((name, value))
        }
        return JSONText.object(changed)
    }

    /// The rates as a script wants them; a table also gets those symbols of the script that it lacks.
    private func overridden(_ rates: [QuotedRate], isTable: Bool = false) -> [QuotedRate] {
        guard !overrides.rates.isEmpty else { return rates }
        var shown = rates.compactMap { rate -> QuotedRate? in
            guard let token = overrides.rates[rate.symbol] else { return rate }
            guard let token else { return nil }
            var changed = rate
            changed.token = token
            return changed
        }
        guard isTable, let like = rates.first else { return shown }
        for (symbol, token) in overrides.rates.sorted(by: { $0.key < $1.key }) {
            guard let token, !rates.contains(where: { $0.symbol == symbol }) else { continue }
            shown.append(
                QuotedRate(
                    symbol: symbol, token: token, value: like.value, source: like.source,
                    effectiveAt: like.effectiveAt, derivationTenths: nil))
        }
        return shown
    }

    private func text(_ text: String) -> String { JSONText.quoted(text) }

    private func token(_ rate: QuotedRate) -> String { overridden([rate]).first?.token ?? "null" }

    private func tokens(_ rates: [QuotedRate]) -> String {
        JSONText.object(rates.map { ($0.symbol, $0.token) })
    }

    /// `live` if any symbol is.
    private func source(of rates: [QuotedRate]) -> String {
        if let source = overrides.source { return text(source) }
        let isLive = rates.contains { $0.source == .live }
        return text((isLive ? RateSource.live : .ecbDaily).rawValue)
    }

    private func sources(_ rates: [QuotedRate]) -> String {
        JSONText.object(rates.map { ($0.symbol, text(overrides.source ?? $0.source.rawValue)) })
    }

    private func effectiveTimes(_ rates: [QuotedRate]) -> String {
        JSONText.object(rates.map { ($0.symbol, text(overrides.dataTime ?? $0.effectiveAt.text)) })
    }

    /// The newest of the symbols' times.
    private func dataTime(of rates: [QuotedRate], or fallback: SimulatedTime?) -> String {
        let newest = rates.map(\.effectiveAt).max() ?? fallback
        return text(overrides.dataTime ?? newest?.text ?? "")
    }

    private func session(_ frame: Frame) -> String { text(overrides.session ?? frame.session.rawValue) }

    private func derived(_ rate: QuotedRate) -> String { rate.derivationTenths == nil ? "false" : "true" }

    private func derivation(_ rate: QuotedRate) -> String {
        rate.derivationTenths.map { FixedDecimal(mantissa: UInt128($0), scale: 1).trimmed.plainText }
            ?? "null"
    }
}
