/// One door through which bytes come in from outside, with what must hold for all bytes.
///
/// `scripts/fuzz` compiles these files with libFuzzer, which makes up the bytes; nothing else is built with them. A target
/// ends the process where a claim doesn't hold, and libFuzzer keeps the bytes.
struct FuzzTarget: Sendable {
    /// The name of its corpus, its dictionary and its option.
    let name: String
    let run: @Sendable ([UInt8]) -> Void

    static let all = [
        FuzzTarget(name: "head", run: HeadTarget.run),
        FuzzTarget(name: "query", run: QueryTarget.run),
        FuzzTarget(name: "number", run: NumberTarget.run),
        FuzzTarget(name: "ingest", run: IngestTarget.run),
        FuzzTarget(name: "limits", run: LimitsTarget.run),
        FuzzTarget(name: "snapshot", run: SnapshotTarget.run),
        FuzzTarget(name: "event", run: EventTarget.run),
        FuzzTarget(name: "configuration", run: ConfigurationTarget.run),
        FuzzTarget(name: "clients", run: ClientsTarget.run),
        FuzzTarget(name: "state", run: StateTarget.run),
        FuzzTarget(name: "reply", run: ReplyTarget.run),
    ]
}
