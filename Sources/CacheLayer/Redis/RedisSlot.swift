/// The slot of a cluster that a key belongs to.
enum RedisSlot {
    static let count = 16_384

    /// CRC-16/XMODEM of the key, or of what stands in its first braces if that isn't empty, modulo the number of slots.
    static func of(_ key: String) -> Int {
        let bytes = Array(key.utf8)
        var hashed = bytes[...]
        if let open = bytes.firstIndex(of: UInt8(ascii: "{")),
            let close = bytes[open...].firstIndex(of: UInt8(ascii: "}")), close > open + 1
        {
            hashed = bytes[(open + 1)..<close]
        }
        var crc: UInt16 = 0
        for byte in hashed {
            crc ^= UInt16(byte) << 8
            for _ in 0..<8 { crc = crc & 0x8000 == 0 ? crc << 1 : crc << 1 ^ 0x1021 }
        }
        return Int(crc) % count
    }
}
