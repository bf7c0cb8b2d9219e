import Telemetry

/// What the calendar says of the daily fixes that come in.
extension Refresher {
    /// Counts the publications that a latest table which is just taken over should have and has not; tells of each once.
    ///
    /// A year of history ends with its own last day: that later ones aren't in it says nothing.
    func notePublications(_ snapshot: RateSnapshot) {
        guard snapshot.resource.isLatest, let fix = settings.policy.newestFix(of: snapshot.table) else {
            return
        }
        let resource = snapshot.resource
        var watch = publications[resource] ?? PublicationWatch(from: snapshot.fetchedAt)
        let missing = watch.note(newestFix: fix, fetchedAt: snapshot.fetchedAt)
        publications[resource] = watch
        guard let newest = missing.last else { return }
        logger.log(
            .notice, "a publication is missing",
            [
                .resource: resource.name, .source: Source.ecbDaily.name, .value: newest.rfc3339,
                .dataTime: fix.rfc3339, .count: String(missing.count),
            ])
    }
}
