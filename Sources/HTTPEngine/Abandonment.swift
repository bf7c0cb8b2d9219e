/// Why a parked request or a stream has nobody any more who waits for it.
package enum Abandonment: Sendable {
    /// The client has closed its end, or the connection is broken.
    case left
    /// The client has taken less than 16 KiB of what waits for it within the write timeout, or confirmed nothing at all of
    /// what the kernel has for it.
    case tooSlow
    /// The drain's limit has passed.
    case cut
}
