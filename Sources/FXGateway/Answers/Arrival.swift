/// How what a parked request waited for has come: what its Cache-Status says (RFC 9211).
enum Arrival {
    /// By this instance's call to upstream.
    case fetched
    /// By another instance's.
    case shared
    /// It hasn't: its time is up, or how things stand has changed.
    case nothing
}
