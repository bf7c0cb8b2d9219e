/// What a proxy is told to hold back, and from which bytes on.
struct TCPProxyHold: Sendable {
    let direction: TCPProxyDirection
    let marker: [UInt8]
}
