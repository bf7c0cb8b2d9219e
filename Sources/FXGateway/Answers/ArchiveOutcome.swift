/// How a question for a past snapshot ended; a label.
enum ArchiveOutcome: String, CaseIterable, Sendable {
    /// In this process's memory.
    case memory
    case store
    case absent
    /// It was there, but in a form that this version can't read: told as absent.
    case unreadable
    case away
}
