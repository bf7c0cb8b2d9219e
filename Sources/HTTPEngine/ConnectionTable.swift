/// The connections of one loop, by slot; finds one by its id in constant time.
struct ConnectionTable {
    private var slots: [HTTPConnection?] = []
    private var free: [Int32] = []
    private var serial: UInt32 = 0
    private let loop: Int

    init(loop: Int) { self.loop = loop }

    var count: Int { slots.count - free.count }
    var isEmpty: Bool { count == 0 }

    /// Makes a connection; nil if there is no slot left.
    mutating func insert(descriptor: Int32, isRefused: Bool) -> HTTPConnection? {
        let slot: Int
        if let last = free.popLast() {
            slot = Int(last)
        } else {
            guard slots.count < ConnectionID.slotLimit else { return nil }
            slot = slots.count
            slots.append(nil)
        }
        let connection = HTTPConnection(descriptor: descriptor, id: nextID(slot), isRefused: isRefused)
        slots[slot] = connection
        return connection
    }

    mutating func remove(_ connection: HTTPConnection) {
        slots[connection.id.slot] = nil
        free.append(Int32(connection.id.slot))
    }

    /// Gives a connection a new id; the old one is unknown from now on.
    mutating func renew(_ connection: HTTPConnection) {
        connection.id = nextID(connection.id.slot)
    }

    subscript(id: ConnectionID) -> HTTPConnection? {
        guard id.loop == loop, id.slot < slots.count, let connection = slots[id.slot], connection.id == id
        else {
            return nil
        }
        return connection
    }

    subscript(slot slot: Int) -> HTTPConnection? { slots[slot] }

    /// All connections at this moment.
    var all: [HTTPConnection] { slots.compactMap(\.self) }

    private mutating func nextID(_ slot: Int) -> ConnectionID {
        serial &+= 1
        return ConnectionID(loop: loop, serial: serial, slot: slot)
    }
}
