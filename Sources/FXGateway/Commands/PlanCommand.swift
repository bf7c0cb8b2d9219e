import CacheLayer

/// `fxgateway plan`: what a month would cost with the configuration at hand, a recipe, or other numbers.
enum PlanCommand {
    /// Computes and writes; calls nobody.
    ///
    /// `.success` if the plan lasts at the wished intervals, `.failure` if the pace has to stretch them, `.usage` for an
    /// option that isn't understood.
    ///
    /// - Parameters:
    ///   - options: what differs from the configuration.
    ///   - configuration: where the rest comes from.
    ///   - now: names the present month.
    ///   - screen: what the lines go to.
    ///   - print: takes what belongs on standard output, without its line end.
    ///   - complain: takes what belongs on standard error.
    /// - Returns: how the process ends.
    static func run(
        _ options: CommandOptions, _ configuration: Configuration, now: UnixMilliseconds,
        screen: Screen = .plain, print: (String) -> Void, complain: (String) -> Void
    ) -> ExitCode {
        let question: PlanQuestion
        do throws(PlanQuestion.Problem) {
            question = try PlanQuestion(options, configuration, now: now)
        } catch {
            complain("fxgateway plan: \(error.sentence)")
            return .usage
        }
        let (wished, paced) = screen.patience.during("computing the month \(question.month)") {
            (question.forecast(isPaced: false), question.forecast(isPaced: true))
        }
        switch options.output {
        case .table:
            for line in TextTable(rows(question, wished: wished, paced: paced)).lines { print(line) }
            for line in advice(question, wished: wished) { print(line) }
        case .json: print(document(question, wished: wished, paced: paced))
        }
        return wished.spentOn == nil ? .success : .failure
    }

    private static func rows(
        _ question: PlanQuestion, wished: PlanForecast, paced: PlanForecast
    ) -> [[String]] {
        var rows = [
            ["month", "\(question.month)"],
            ["tables", question.bases.map(\.code).joined(separator: ",")],
            ["class", question.tier.rawValue],
        ]
        if question.tier == .live { rows.append(["wished interval", UnitText.text(question.liveTTL)]) }
        rows.append(["plan", "\(question.plan.monthly) calls"])
        rows.append(["calls of the fleet", "\(paced.calls)"])
        if let intervals = paced.intervals {
            rows.append(["interval", "\(text(intervals.lowerBound)) to \(text(intervals.upperBound))"])
        }
        rows.append(
            [
                "without the pace",
                wished.spentOn.map { "spent on \($0.text)" } ?? "\(wished.calls) calls: the plan lasts",
            ])
        let alone = wished.calls.multipliedReportingOverflow(by: question.instances)
        let caches = alone.overflow ? "more than can be counted" : "\(alone.partialValue)"
        rows.append(
            [
                "with a cache in each of \(question.instances) instances",
                wished.spentOn == nil ? "\(caches) calls" : "spent \(question.instances) times as fast",
            ])
        return rows
    }

    private static func advice(_ question: PlanQuestion, wished: PlanForecast) -> [String] {
        var lines: [String] = []
        if wished.spentOn != nil {
            lines.append("")
            lines.append(
                "The pace will stretch the intervals; FXGW_LIVE_TTL=\(UnitText.text(question.lastingInterval)) would last the month as it is."
            )
        }
        if let recipe = question.recipe {
            lines.append("")
            for (name, value) in recipe.environment { lines.append("\(name)=\(value)") }
        }
        return lines
    }

    /// In whole seconds, or in milliseconds below ten.
    private static func text(_ duration: Duration) -> String {
        let rounded = duration < .seconds(10) ? duration : .seconds((duration.milliseconds + 500) / 1_000)
        return UnitText.text(.milliseconds(rounded.milliseconds))
    }

    private static func document(
        _ question: PlanQuestion, wished: PlanForecast, paced: PlanForecast
    ) -> String {
        var json = JSONText(reserving: 512)
        json.beginObject()
        json.member("month", string: "\(question.month)")
        json.name("bases")
        json.beginArray()
        for base in question.bases { json.string(base.code) }
        json.endArray()
        json.member("tier", string: question.tier.rawValue)
        json.member("live_ttl_seconds", integer: Int(clamping: question.liveTTL.components.seconds))
        json.member("plan", integer: Int(clamping: question.plan.monthly))
        json.member("calls", integer: Int(clamping: paced.calls))
        if let intervals = paced.intervals {
            json.member("shortest_interval_ms", integer: Int(clamping: intervals.lowerBound.milliseconds))
            json.member("longest_interval_ms", integer: Int(clamping: intervals.upperBound.milliseconds))
        }
        json.member("lasts_unpaced", boolean: wished.spentOn == nil)
        if let day = wished.spentOn { json.member("unpaced_spent_on", string: day.text) }
        json.member(
            "lasting_interval_seconds", integer: Int(clamping: question.lastingInterval.components.seconds))
        json.member("instances", integer: Int(clamping: question.instances))
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
