/// What a client may be called: in the clients file, in `X-Client-Name`, as a label.
enum ClientName {
    static let longest = 64

    /// Whether it is 1 to 64 of `A-Za-z0-9._-`: never one of the names in brackets that are ours.
    static func isGood(_ bytes: some Collection<UInt8>) -> Bool {
        (1...longest).contains(bytes.count)
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
