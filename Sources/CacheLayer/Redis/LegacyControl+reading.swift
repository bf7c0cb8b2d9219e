extension LegacyControl {
    /// Reads the fields `month`, `used`, `external`, `epoch`, `purged`, `cd:short` and `cd:month` of the control of
    /// version 0.1.0; nil where there is none.
    init?(_ values: [String?]?) {
        guard let values, values.count == 7, let month = values[0].flatMap({ Month(text: $0) }),
            let used = values[1].flatMap({ ControlFieldReader.number($0) })
        else { return nil }
        func number(_ place: Int) -> Int64 { values[place].flatMap { ControlFieldReader.number($0) } ?? 0 }
        self.init(
            month: month, used: used, external: number(2), epoch: number(3), purged: number(4),
            cooldowns: [(CooldownScope.short, values[5]), (.month, values[6])].compactMap { scope, text in
                guard let text, let tree = try? JSONTree.parse(Array(text.utf8), depth: 4),
                    let end = tree["end"]?.number.flatMap({ ControlFieldReader.number($0) })
                else { return nil }
                return Cooldown(
                    scope: scope, end: end,
                    strikes: tree["strikes"]?.number.flatMap { ControlFieldReader.number($0) } ?? 1,
                    reason: tree["reason"]?.string ?? "")
            })
    }
}
