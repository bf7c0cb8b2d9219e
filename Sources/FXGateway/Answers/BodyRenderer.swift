import CacheLayer

/// Writes the bodies of answers with rates, in upstream's order of keys, with what is ours at the end.
///
/// Pure: the same plan and options give the same bytes, on every instance and at any time.
enum BodyRenderer {
    /// `/v1/latest`.
    static func latest(_ plan: SelectionPlan, _ form: NumberForm) -> [UInt8] {
        let table = plan.snapshot.table
        let labels = SelectionLabels(plan)
        var json = JSONText(reserving: 512 + 64 * plan.served.count)
        json.beginObject()
        json.member("result", string: "success")
        json.member("base", string: plan.base.code)
        json.member("source", string: labels.source.name)
        let rates = plan.served.map(\.quote)
        let labelled = rates.filter { $0.derivation != .identity }
        if table.hasSources || labels.isMixed, !labelled.isEmpty {
            json.name("sources")
            json.object(labelled) { $0.string($1.source.name) }
        }
        if table.hasEffectiveAt || labelled.contains(where: { $0.kept != nil }), !labelled.isEmpty {
            json.name("effective_at")
            json.object(labelled) { $0.string($1.effectiveAt.text) }
        }
        appendTimes(table, labels, to: &json)
        json.name("rates")
        json.object(rates) { $0.number($1.rate.text, form) }
        if let notice = table.notice { json.member("notice", string: notice) }
        appendExtras(plan, to: &json)
        json.member("unavailable", codes: plan.unavailable)
        json.member("stale_symbols", codes: plan.staleSymbols)
        appendCache(plan, derivation(of: plan), form, to: &json)
        json.endObject()
        return json.bytes
    }

    /// `/v1/{date}`: without a session, which was that of another day, and made when its year was fetched.
    static func day(_ plan: SelectionPlan, _ form: NumberForm) -> [UInt8] {
        let labels = SelectionLabels(plan)
        let rates = plan.served.map(\.quote)
        let labelled = rates.filter { $0.derivation != .identity }
        var json = JSONText(reserving: 512 + 64 * plan.served.count)
        json.beginObject()
        json.member("result", string: "success")
        json.member("base", string: plan.base.code)
        if let day = plan.snapshot.day { json.member("date", string: day.text) }
        json.member("source", string: labels.source.name)
        if !labelled.isEmpty {
            json.name("sources")
            json.object(labelled) { $0.string($1.source.name) }
        }
        json.member("timestamp", string: plan.snapshot.fetchedAt.rfc3339)
        json.member("data_updated_at", string: labels.dataTime.text)
        json.name("rates")
        json.object(rates) { $0.number($1.rate.text, form) }
        json.member("is_forward_filled", boolean: plan.isForwardFilled)
        if let notice = plan.snapshot.table.notice { json.member("notice", string: notice) }
        json.member("unavailable", codes: plan.unavailable)
        appendCache(plan, derivation(of: plan), form, to: &json)
        json.endObject()
        return json.bytes
    }

    /// `/v1/rate`.
    static func rate(_ plan: SelectionPlan, _ quote: PairQuote, _ form: NumberForm) -> [UInt8] {
        var json = JSONText(reserving: 768)
        json.beginObject()
        json.member("result", string: "success")
        json.member("pair", string: "\(quote.base.code.lowercased())-\(quote.quote.code.lowercased())")
        json.member("base", string: quote.base.code)
        json.member("quote", string: quote.quote.code)
        json.member("rate", number: quote.rate.text, form)
        appendSource(quote, to: &json)
        appendTimes(plan.snapshot.table, SelectionLabels(plan), to: &json)
        appendDerived(quote, to: &json)
        if let notice = plan.snapshot.table.notice { json.member("notice", string: notice) }
        appendCache(plan, quote.derivation, form, to: &json)
        json.endObject()
        return json.bytes
    }

    /// `/v1/convert/{from}/{to}/{amount}`.
    static func conversion(_ plan: SelectionPlan, _ conversion: Conversion, _ form: NumberForm) -> [UInt8] {
        let quote = conversion.pair
        var json = JSONText(reserving: 768)
        json.beginObject()
        json.member("result", string: "success")
        json.member("from", string: quote.base.code)
        json.member("to", string: quote.quote.code)
        json.member("amount", number: conversion.amount.description, form)
        json.member("rate", number: quote.rate.text, form)
        json.member("converted", number: conversion.rounded.description, form)
        appendDerived(quote, to: &json)
        appendSource(quote, to: &json)
        appendTimes(plan.snapshot.table, SelectionLabels(plan), to: &json)
        appendDay(plan, to: &json)
        if let notice = plan.snapshot.table.notice { json.member("notice", string: notice) }
        json.member("result_unrounded", number: conversion.unrounded.description, form)
        json.member("rounding", string: conversion.rounding.rawValue)
        json.member("snapshot", string: plan.snapshot.id.text)
        appendCache(plan, quote.derivation, form, to: &json)
        json.endObject()
        return json.bytes
    }

    /// `POST /v1/convert`: all on one snapshot; `conversions` is not empty.
    static func conversions(
        _ plan: SelectionPlan, _ conversions: [Conversion], _ options: ConvertOptions
    ) -> [UInt8] {
        let form = options.numbers
        var json = JSONText(reserving: 512 + 160 * conversions.count)
        json.beginObject()
        json.member("result", string: "success")
        json.member("from", string: plan.base.code)
        json.name("conversions")
        json.beginArray()
        for conversion in conversions {
            json.beginObject()
            json.member("to", string: conversion.pair.quote.code)
            json.member("amount", number: conversion.amount.description, form)
            json.member("rate", number: conversion.pair.rate.text, form)
            json.member("converted", number: conversion.rounded.description, form)
            appendDerived(conversion.pair, to: &json)
            if conversion.pair.derivation.isDerived {
                json.name("legs")
                json.object(conversion.pair.legs, form)
            }
            json.member("source", string: conversion.pair.source.name)
            json.member("data_updated_at", string: conversion.pair.effectiveAt.text)
            json.member("result_unrounded", number: conversion.unrounded.description, form)
            json.endObject()
        }
        json.endArray()
        let labels = SelectionLabels(plan)
        json.member("source", string: labels.source.name)
        json.name("sources")
        json.object(plan.served.map(\.quote)) { $0.string($1.source.name) }
        appendTimes(plan.snapshot.table, labels, to: &json)
        appendDay(plan, to: &json)
        if let notice = plan.snapshot.table.notice { json.member("notice", string: notice) }
        json.member("rounding", string: options.rounding.rawValue)
        json.member("snapshot", string: plan.snapshot.id.text)
        json.member("stale_symbols", codes: plan.staleSymbols)
        appendCache(plan, derivation(of: plan), form, to: &json)
        json.endObject()
        return json.bytes
    }

    // MARK: - Parts

    private static func appendTimes(_ table: RateTable, _ labels: SelectionLabels, to json: inout JSONText) {
        if let session = table.marketSession { json.member("market_session", string: session) }
        if let timestamp = table.timestamp { json.member("timestamp", string: timestamp) }
        json.member("data_updated_at", string: labels.dataTime.text)
    }

    /// The day at whose rates was converted, if one was asked for.
    private static func appendDay(_ plan: SelectionPlan, to json: inout JSONText) {
        guard let day = plan.snapshot.day else { return }
        json.member("date", string: day.text)
        json.member("is_forward_filled", boolean: plan.isForwardFilled)
    }

    private static func appendSource(_ quote: PairQuote, to json: inout JSONText) {
        json.member("source", string: quote.source.name)
        json.name("sources")
        json.object([quote]) { $0.string($1.source.name) }
    }

    private static func appendDerived(_ quote: PairQuote, to json: inout JSONText) {
        json.member("derived", boolean: quote.derivation.isDerived)
        json.member("derivation_bps_max", verbatim: quote.derivationBpsMax?.description ?? "null")
    }

    /// Upstream's fields that this version doesn't know: only with its own base, of which alone they may speak.
    private static func appendExtras(_ plan: SelectionPlan, to json: inout JSONText) {
        guard !plan.isDerived else { return }
        for extra in plan.snapshot.table.extras where !ownNames.contains(extra.name) {
            json.name(extra.name)
            json.verbatim(extra.json)
        }
    }

    private static let ownNames: Set = ["cache", "unavailable", "stale_symbols", "snapshot", "stream"]

    static func appendCache(
        _ plan: SelectionPlan, _ derivation: PairDerivation, _ form: NumberForm, to json: inout JSONText
    ) {
        json.name("cache")
        json.beginObject()
        json.member("state", string: plan.stateName)
        if let reason = plan.reason { json.member("reason", string: reason.rawValue) }
        json.member("snapshot", string: plan.snapshot.id.text)
        json.member("fetched_at", string: plan.snapshot.fetchedAt.rfc3339)
        // What is settled or pinned stays so.
        if !plan.isPinned, !plan.isSettled {
            json.member("fresh_until", string: plan.freshUntil.rfc3339)
        }
        json.member("derivation", string: derivation.rawValue)
        if derivation.isDerived { appendLegs(plan, form, to: &json) }
        json.endObject()
    }

    /// What was divided: the base's own rate, and for a pair the quote's too.
    ///
    /// A whole derived table would need every rate of its snapshot once more; those are at the snapshot.
    private static func appendLegs(_ plan: SelectionPlan, _ form: NumberForm, to json: inout JSONText) {
        json.member("via", string: plan.snapshot.table.base.code)
        let derived = plan.served.map(\.quote).filter(\.derivation.isDerived)
        guard let first = derived.first else { return }
        let legs = derived.count == 1 ? first.legs : Array(first.legs.prefix(1))
        json.name("legs")
        json.object(legs, form)
        // A pair's own answer says it by itself.
        if derived.count > 1 || plan.snapshot.day != nil,
            let bound = derived.compactMap(\.derivationBpsMax).max()
        {
            json.member("derivation_bps_max", verbatim: bound.description)
        }
    }

    /// The word for a table: direct for the base's own, inverse if every rate is, else cross.
    static func derivation(of plan: SelectionPlan) -> PairDerivation {
        guard plan.isDerived else { return .direct }
        let derived = plan.served.map(\.quote.derivation).filter { $0 != .identity }
        if derived.isEmpty { return .identity }
        return derived.allSatisfy { $0 == .inverse } ? .inverse : .cross
    }
}

extension JSONText {
    /// An object with a member for each pair, named after its quote.
    fileprivate mutating func object(_ quotes: [PairQuote], _ value: (inout JSONText, PairQuote) -> Void) {
        beginObject()
        for quote in quotes {
            name(quote.quote.code)
            value(&self, quote)
        }
        endObject()
    }

    /// The rates that something was divided from.
    fileprivate mutating func object(_ legs: [PairQuote.Leg], _ form: NumberForm) {
        beginObject()
        for leg in legs {
            name(leg.currency.code)
            number(leg.rate.text, form)
        }
        endObject()
    }

    /// A list of codes; nothing at all if it is empty.
    mutating func member(_ name: StaticString, codes: [Currency]) {
        guard !codes.isEmpty else { return }
        self.name(name)
        beginArray()
        for code in codes { string(code.code) }
        endArray()
    }
}
