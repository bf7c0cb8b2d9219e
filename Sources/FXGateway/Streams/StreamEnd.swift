import HTTPEngine

/// How a stream has ended; the label of its metric and, where the client is told, the reason in its last event.
enum StreamEnd: String, CaseIterable, Hashable, Sendable {
    /// The client has closed it.
    case left
    /// More was waiting for its reader than may.
    case behind
    /// Its reader took too little for too long.
    case slow
    /// The instance stops.
    case draining
    /// Its token is no longer one of the clients file's.
    case revoked
    /// The base is gone from upstream's table, or every symbol that was asked for.
    case unsupported
    /// Cut off at the end of the drain time.
    case cut

    init(_ abandonment: Abandonment) {
        switch abandonment {
        case .left: self = .left
        case .tooSlow: self = .slow
        case .cut: self = .cut
        }
    }
}
