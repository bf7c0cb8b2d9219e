/// What each script's words mean; nil for a word or a form that the script doesn't have.
extension ScriptsReply {
    func begin(of resource: Resource) -> BeginReply? {
        switch kind {
        case "newer": snapshot(of: resource).map { .newer($0) }
        case "fetch":
            if let token = number(0), let left = duration(1), let interval = duration(2) {
                .fetch(FencingToken(token), left: left, interval: interval)
            } else {
                nil
            }
        case "busy": duration(0).map { .busy($0) }
        case "slots": duration(0).map { .slotsTaken($0) }
        case "cooldown":
            if let scope = text(0).flatMap({ CooldownScope(rawValue: $0) }), let rest = duration(1) {
                .cooldown(scope, rest)
            } else {
                nil
            }
        case "refused": duration(0).map { .refused($0) }
        case "paced": duration(0).map { .paced($0) }
        case "exhausted": duration(0).map { .exhausted($0) }
        case "late": .late
        case "lost": .lost
        default: nil
        }
    }

    func finish(of resource: Resource) -> FinishReply? {
        switch kind {
        case "stored": .stored
        case "fenced": snapshot(of: resource).map { .fenced($0) }
        case "older": snapshot(of: resource).map { .older($0) }
        case "noted": .noted
        case "wait": duration(0).map { .wait($0) }
        case "lost": .lost
        default: nil
        }
    }

    /// What a script that accepted a snapshot tells of the archive; nil from one that didn't.
    var archiveNews: ArchiveNews? {
        guard kind == "stored" || kind == "done", values.count >= 3 else { return nil }
        let first = values.count - 3
        guard let bytes = number(first), let dropped = number(first + 1), let refused = number(first + 2)
        else { return nil }
        return ArchiveNews(bytes: Int(bytes), dropped: Int(dropped), refused: Int(refused))
    }

    /// The snapshot that a reply carries, with the resource that it is of.
    var archivedSnapshot: StoredSnapshot? {
        text(7).flatMap { Resource(name: $0) }.flatMap { snapshot(of: $0) }
    }

    var restore: RestoreReply? {
        kind == "done" ? number(0).map { RestoreReply(opensAt: UnixMilliseconds($0)) } : nil
    }

    var lift: LiftReply? {
        switch kind {
        case "lifted": .lifted
        case "nothing": .nothing
        case "lost": .lost
        default: nil
        }
    }

    var purge: PurgeReply? {
        switch kind {
        case "purged": .purged
        case "lost": .lost
        default: nil
        }
    }

    var amend: AmendReply? {
        switch kind {
        case "stored": .stored
        case "busy": duration(0).map { .busy($0) }
        case "changed": .changed
        case "overtaken": .overtaken
        case "lost": .lost
        default: nil
        }
    }

    /// `interests` are those of the request, in its order.
    func look(_ interests: [LookRequest.Interest]) -> LookReply? {
        if kind == "lost" { return .lost }
        guard kind == "seen", values.count == 1 + 3 * interests.count else { return nil }
        var seen: [LookReply.Seen] = []
        for (place, interest) in interests.enumerated() {
            let standing: LookReply.Standing
            switch text(1 + 3 * place) {
            case "newer": standing = .newer
            case "same": standing = .same
            case "behind": standing = .behind
            default: return nil
            }
            guard let strikes = number(3 + 3 * place) else { return nil }
            seen.append(
                LookReply.Seen(
                    resource: interest.resource, standing: standing,
                    nextAt: number(2 + 3 * place).map { UnixMilliseconds($0) }, strikes: strikes))
        }
        return .seen(seen)
    }
}
