/// Names one turn of one connection: what is resumed, written to or abandoned.
///
/// It becomes unknown when the connection closes and when its parked or streamed answer ends, so that a late or
/// repeated call can never reach another request.
package struct ConnectionID: Hashable, Sendable {
    /// 8 bits loop, 32 bits serial, 24 bits slot in the loop's table.
    package let rawValue: UInt64

    /// An id by its number, as tests make them.
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    init(loop: Int, serial: UInt32, slot: Int) {
        rawValue = UInt64(loop) << 56 | UInt64(serial) << 24 | UInt64(slot)
    }

    /// Index of the loop whose thread serves this connection.
    package var loop: Int { Int(rawValue >> 56) }
    var slot: Int { Int(rawValue & 0xFF_FFFF) }

    static let slotLimit = 1 << 24
    static let loopLimit = 1 << 8
}
