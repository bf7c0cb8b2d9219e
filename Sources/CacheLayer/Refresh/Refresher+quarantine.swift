import Telemetry

/// What operators say of values that are held back.
extension Refresher {
    /// More than a few others at work on the same table at once are a store that can't make up its mind.
    private static let mostTries = 8

    /// Accepts held back values for the whole fleet, without a call to upstream.
    ///
    /// The table goes on as the answer that it was: with its own fetched-at, so that nothing gets younger by it. A fetch
    /// that is under way goes first, and its table is what is amended then; waits at most `limit` for it.
    package func accept(_ target: QuarantineTarget, limit: Duration) async -> QuarantineAcceptance {
        let end = time.now().advanced(by: limit)
        var tries = 0
        // Somebody else's table may be newer than what is held here, or the only one.
        for base in settings.bases {
            guard await read(.latest(base: base)) else { return .storeAway }
        }
        repeat {
            guard let held = held(target) else { return .nothing }
            let amended = amended(held, accepting: target.symbols(in: held))
            let stored = codec.encode(amended)
            let rest = max(.milliseconds(1), stored.keepFor - age(of: amended))
            let reply = await asked {
                [store, settings] (birth, version, floor) async throws(StoreError) -> Answer<AmendReply> in
                try await store.amend(
                    AmendRequest(
                        held: held.id, heldToken: held.token, snapshot: stored.kept(for: rest),
                        holder: settings.holder, birth: birth, version: version, floor: floor,
                        plan: settings.plan))
            }
            switch reply {
            case .stored: return taken(amended, from: held, stored: stored.kept(for: rest), target)
            case .lost, nil: return .storeAway
            case .changed, .overtaken:
                // The shadow that came with the answer says above which token.
                tries += 1
                await read(held.resource)
            case .busy:
                guard (try? await time.sleep(.milliseconds(50))) != nil else { return .busy }
                await read(held.resource)
            }
        } while time.now() < end && tries < Self.mostTries && !isStopping
        return .busy
    }

    private func held(_ target: QuarantineTarget) -> RateSnapshot? {
        states.values.compactMap { $0.adopted?.snapshot }.first { !target.symbols(in: $0).isEmpty }
    }

    private func age(of snapshot: RateSnapshot) -> Duration {
        max(.zero, memory.storeNow(at: time.now(), wall: time.wall()) - snapshot.fetchedAt)
    }

    /// The same answer with the new values, under a token above all that are known to be drawn.
    private func amended(_ held: RateSnapshot, accepting symbols: [Currency]) -> RateSnapshot {
        let newest = max(held.token, memory.floor, memory.shadow?.epoch ?? .none)
        let name = ([held.id.text] + symbols.map(\.code)).joined(separator: " ")
        return RateSnapshot(
            id: SnapshotID(fetchedAt: held.fetchedAt, digest: ContentDigest(of: Array(name.utf8)).bytes),
            resource: held.resource, token: FencingToken(newest.value + 1), fetchedAt: held.fetchedAt,
            interval: held.interval, table: held.table.accepting(symbols))
    }

    private func taken(
        _ amended: RateSnapshot, from held: RateSnapshot, stored: StoredSnapshot, _ target: QuarantineTarget
    ) -> QuarantineAcceptance {
        let symbols = target.symbols(in: held)
        // The event may have been faster: then it is held already.
        _ = adopt(amended, stored: stored, isOwnFetch: false)
        counters.acceptedByOperator.add(symbols.count)
        logger.log(
            .notice, "an operator has accepted values that were held back",
            [
                .resource: amended.resource.name, .snapshot: amended.id.text,
                .symbol: symbols.prefix(16).map(\.code).joined(separator: ","), .count: String(symbols.count),
            ])
        return .accepted(symbols, amended.id)
    }
}
