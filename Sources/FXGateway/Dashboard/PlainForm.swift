/// The page's facts without scripts: plain tables, as they stand in `<noscript>`.
enum PlainForm {
    /// What is shown where there is no clients file.
    static func markup(of facts: PlainFacts) -> [UInt8] {
        var html = HTMLText()
        html.markup(begin)
        html.markup("<p>Without scripts: as it was when the page was asked for. Reload it for news.</p>")
        if facts.isSimulated {
            html.markup("<p class=\"banner\"><strong>Simulated upstream.</strong> ")
            html.markup("These rates are made up.</p>")
        }
        html.markup("<section class=\"card\"><h2>At a glance</h2><dl class=\"facts\">")
        html.pair("Fleet", "\(facts.fleet), version \(facts.version)")
        html.pair("Store", facts.store)
        html.pair("Degraded", facts.degraded.isEmpty ? "nothing" : facts.degraded.joined(separator: ", "))
        html.pair("Cooldown", facts.pauses.isEmpty ? "none" : facts.pauses.joined(separator: "; "))
        add(facts.quota, to: &html)
        html.markup("</dl></section><section class=\"card\"><h2>What is held</h2>")
        add(facts.resources, to: &html)
        html.markup("</section></div>")
        return html.bytes
    }

    /// What is shown where a token is needed: nothing that it opens.
    static let guarded: [UInt8] = {
        var html = HTMLText()
        html.markup(begin)
        html.markup("<p>This gateway asks for a client's token, which can't be given without scripts. ")
        html.markup("Ask with another program: <code>/v1/status</code> with ")
        html.markup("<code>Authorization: Bearer</code>. <code>/healthz</code>, <code>/readyz</code> and ")
        html.markup("<code>/metrics</code> need none.</p></div>")
        return html.bytes
    }()

    private static let begin: StaticString =
        "<div class=\"plainform\" role=\"region\" aria-label=\"Plain form\">"

    private static func add(_ quota: PlainFacts.Quota?, to html: inout HTMLText) {
        guard let quota else { return html.pair("Calls", "the store has not told yet") }
        let left = max(0, quota.limit - quota.used)
        html.pair("Calls", "\(quota.used) of \(quota.limit) used in \(quota.month), \(left) left")
    }

    private static func add(_ rows: [PlainFacts.Row], to html: inout HTMLText) {
        html.markup("<table><caption class=\"unseen\">Each resource with its source and times in UTC")
        html.markup("</caption><thead><tr><th scope=\"col\">Resource</th><th scope=\"col\">State</th>")
        html.markup("<th scope=\"col\">Source</th><th scope=\"col\">Data time</th>")
        html.markup("<th scope=\"col\">Fetched</th><th scope=\"col\">Fresh until</th>")
        html.markup("<th scope=\"col\">Next refresh</th></tr></thead><tbody>")
        for row in rows {
            html.row([
                row.resource, row.state, row.source, row.dataTime, row.fetchedAt, row.freshUntil,
                row.nextRefresh,
            ])
        }
        html.markup("</tbody></table>")
    }
}
