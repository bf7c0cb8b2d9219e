import CacheLayer
import EventLoop
import HTTPEngine

/// The cold path: requests that wait for a snapshot, and the news that end their wait.
extension GatewayApplication {
    /// How often those whose time is up are looked for.
    private static let tickLength = Duration.milliseconds(25)

    /// Takes a resource's new view, and answers those who waited for it.
    ///
    /// On this loop's thread only: others post to the loop. `isOwnFetch` says whether the snapshot came from this instance's
    /// own call to upstream.
    func update(_ resource: Resource, _ view: ResourceView, isOwnFetch: Bool) {
        let held = table.holding(of: resource)?.snapshot.id
        let condition = table.condition(of: resource)
        table.adopt(view, of: resource, clock: seams.clock)
        let adopted = table.holding(of: resource)?.snapshot.id
        forgetAnswers(from: resource, isHeld: held != nil || adopted != nil)
        tellPause(of: resource, view.condition, after: condition)
        if adopted == nil { streams.rings[resource] = nil }
        streams.rings[resource]?.stand(under: view.condition)
        guard adopted != nil, adopted != held else {
            retry(waiting.waiting(for: resource), .nothing)
            return
        }
        demands[resource]?.begin()
        if let holding = table.holding(of: resource) { publish(holding) }
        // The pivot's table answers for every base.
        let isPivot = resource == .latest(base: table.pivot)
        retry(waiting.waiting(for: isPivot ? nil : resource), isOwnFetch ? .fetched : .shared)
    }

    /// Drops the answers that may say something else after news of a resource.
    ///
    /// A year has a say in past days only, and nothing to do with the latest rates; one that is still on its way in none. The
    /// list of currencies has none in any rate: what conversions are rounded by is part of their snapshots.
    private func forgetAnswers(from resource: Resource, isHeld: Bool) {
        if resource == .currencies {
            lists.removeAll()
            return
        }
        guard !resource.isYear || isHeld else { return }
        guard !resource.isYear else {
            ranges.outdate()
            ForgottenAnswers(caches: [conversions.removeAll(), history.removeAll()], aliases: []).free()
            return
        }
        ForgottenAnswers(
            caches: [conversions.removeAll(), answers.removeAll()],
            aliases: [conversionAliases.removeAll(), aliases.removeAll()]
        ).free()
        streams.shelf.removeAll()
    }

    /// Parks a request until its resource comes, or refuses it at once if that can't be before its time is up.
    func park(
        _ request: HTTPRequest, _ writer: ResponseWriter, for resource: Resource, as route: RouteName,
        isTooOld: Bool,
        at now: Int64
    ) throws(Problem) -> HTTPDisposition {
        if CacheControl.isOnlyIfCached(request) {
            throw Problem(.onlyIfCached, "Nothing usable is in memory, and the request asks for no more.")
        }
        let known = waiting.entry(request.connection)
        let deadline = known?.deadline ?? now + settings.waitLimit.milliseconds
        let condition = table.condition(of: resource)
        let refusal = ColdRefusal(
            resource: resource, condition: condition, isTooOld: isTooOld, wall: seams.clock.wall())
        if now >= deadline || refusal.isHopeless(within: deadline - now) { throw refusal.problem }
        guard known == nil else {
            if known?.awaited != resource {
                waiting.move(request.connection, to: resource)
                seams.wanted(resource, .cold)
                noteWait(for: resource, at: now)
            }
            return .parked
        }
        guard writer.mayPark, !waiting.isFull else {
            throw Problem(.overloaded, "Too many requests wait for rates.", retryAfter: 1)
        }
        noteWait(for: resource, at: now)
        caller.isNoted = true
        waiting.add(
            request.connection,
            WaitingList.Entry(awaited: resource, deadline: deadline, since: now, caller: caller))
        seams.wanted(resource, .cold)
        startTicking()
        return .parked
    }

    /// Tries parked requests again.
    private func retry(_ ids: [ConnectionID], _ arrival: Arrival) {
        for id in ids {
            server?.resumeNow(id) { [unowned self] request, writer in
                understand(request, writer, at: seams.clock.milliseconds(), arrival: arrival)
            }
        }
        if waiting.isEmpty { tick = nil }
    }

    private func startTicking() {
        guard tick == nil else { return }
        // Without a timer the wait ends with the next news.
        tick = try? loop.every(Self.tickLength) { [unowned self] in
            retry(waiting.expired(at: seams.clock.milliseconds()), .nothing)
        }
    }
}
