/// A store as two steps: a read, and a commit that applies to exactly what was read, or not at all.
///
/// What comes in between is decided by `Decide`. Redis and the memory of one process differ in these steps only.
protocol DecidingStore: RateStore {
    func read(_ question: StoreQuestion) async throws(StoreError) -> StoreReading
    func commit(_ change: StoreChange, on reading: StoreReading) async throws(StoreError) -> CommitReply
    /// A random name for a life of the control.
    func newBirth() -> String
    /// Waits before the next try after so many that others were faster in.
    func yield(after tries: Int) async
}

extension DecidingStore {
    package func begin(_ request: BeginRequest) async throws(StoreError) -> Answer<BeginReply> {
        let answer = try await settle(StoreQuestion(resources: [request.resource])) {
            Decide.begin(request, $0)
        }
        guard case .newer(let head) = answer.reply else { return answer }
        guard let whole = try await whole(head) else { return Answer(.paced(.zero), shadow: answer.shadow) }
        return Answer(.newer(whole), shadow: answer.shadow)
    }

    package func finish(_ request: FinishRequest) async throws(StoreError) -> Answer<FinishReply> {
        var question = StoreQuestion(resources: [request.resource])
        if case .fetched(let snapshot) = request.outcome { question.archived = [snapshot.id] }
        let answer = try await settle(question) { Decide.finish(request, $0) }
        switch answer.reply {
        case .fenced(let head):
            guard let whole = try await whole(head) else { return Answer(.noted, shadow: answer.shadow) }
            return Answer(.fenced(whole), shadow: answer.shadow)
        case .older(let head):
            guard let whole = try await whole(head) else { return Answer(.noted, shadow: answer.shadow) }
            return Answer(.older(whole), shadow: answer.shadow)
        case .stored, .noted, .wait, .lost: return answer
        }
    }

    package func restore(_ testimony: Testimony) async throws(StoreError) -> Answer<RestoreReply> {
        let birth = newBirth()
        let question = StoreQuestion(
            resources: testimony.snapshots.map(\.resource), archived: testimony.snapshots.map(\.id))
        return try await settle(question) {
            Decide.restore(testimony, $0, newBirth: birth)
        }
    }

    package func look(_ request: LookRequest) async throws(StoreError) -> Answer<LookReply> {
        let question = StoreQuestion(resources: request.interests.map(\.resource), hasMembers: true)
        return try await settle(question) { Decide.look(request, $0) }
    }

    package func lift(_ request: LiftRequest) async throws(StoreError) -> Answer<LiftReply> {
        try await settle(StoreQuestion()) { Decide.lift(request, $0) }
    }

    package func purge(_ request: PurgeRequest) async throws(StoreError) -> Answer<PurgeReply> {
        try await settle(StoreQuestion()) { Decide.purge(request, $0) }
    }

    package func amend(_ request: AmendRequest) async throws(StoreError) -> Answer<AmendReply> {
        let question = StoreQuestion(
            resources: [request.snapshot.resource], archived: [request.snapshot.id])
        return try await settle(question) { Decide.amend(request, $0) }
    }

    /// Reads, decides and commits, again while others are faster; bounded.
    private func settle<Reply>(
        _ question: StoreQuestion, _ decide: (StoreReading) -> Decision<Reply>
    ) async throws(StoreError) -> Answer<Reply> {
        for tries in 1...StoreTimings.mostTries {
            let reading = try await read(question)
            if case .later(let schema) = reading.control { throw .laterSchema(schema) }
            let decision = decide(reading)
            guard let change = decision.change else { return decision.answer }
            if try await commit(change, on: reading) == .done { return decision.answer }
            await yield(after: tries)
        }
        throw .notExecuted(.contended)
    }

    /// A snapshot with its body; nil if it has gone meanwhile or another one has come.
    private func whole(_ head: StoredSnapshot) async throws(StoreError) -> StoredSnapshot? {
        guard let stored = try await snapshot(of: head.resource), stored.token >= head.token else {
            return nil
        }
        return stored
    }
}
