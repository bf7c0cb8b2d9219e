/// One loop's copy of the clients' numbers, by the bytes of their names: found without a lock or an allocation.
///
/// Only for its loop's thread.
struct ClientNameTable {
    private let names: ClientNames
    private let hash = ByteHash()
    /// Open addressing: at most half of the places are ever taken.
    private var places: [Place] = Array(repeating: Place(), count: 512)
    /// Whether all numbers were given when this was last asked about: then nothing new can come.
    private var isComplete = false

    private struct Place {
        var name: [UInt8] = []
        var number = -1
    }

    init(_ names: ClientNames) { self.names = names }

    /// The number of a client by the name it gives; one whose form isn't taken is unnamed.
    mutating func number(of name: UnsafeRawBufferPointer) -> Int {
        guard name.count <= ClientName.longest, !name.isEmpty else { return ClientNames.unnamed }
        let place = place(of: name)
        if places[place].number >= 0 { return places[place].number }
        guard ClientName.isGood(name) else { return ClientNames.unnamed }
        if isComplete { return ClientNames.other }
        let number = names.number(of: String(decoding: name, as: UTF8.self))
        guard number == ClientNames.other else {
            places[place] = Place(name: Array(name), number: number)
            return number
        }
        learnAll()
        return number
    }

    /// Takes over what other loops have named, once there is nothing more to come: a flood of names then costs no lock.
    private mutating func learnAll() {
        for (number, name) in names.all.enumerated() where number > ClientNames.other {
            let bytes = Array(name.utf8)
            let place = bytes.withUnsafeBytes { self.place(of: $0) }
            places[place] = Place(name: bytes, number: number)
        }
        isComplete = true
    }

    /// Where a name is, or would be.
    private func place(of name: UnsafeRawBufferPointer) -> Int {
        let mask = places.count - 1
        var index = Int(truncatingIfNeeded: hash(name)) & mask
        while places[index].number >= 0, !ByteHash.equal(places[index].name, name) {
            index = (index + 1) & mask
        }
        return index
    }
}
