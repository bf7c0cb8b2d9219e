/// Makes gzip streams of one repeated byte, by hand: RFC 1951 with fixed codes, RFC 1952 around it.
enum Gzip {
    /// A gzip stream that decodes to 1 + 258 x `runs` bytes of `byte` (below 144), about 1 : 160.
    static func run(of byte: UInt8, runs: Int) -> [UInt8] {
        precondition(byte < 144, "literals from 144 on have nine bits")
        var bits = BitWriter()
        bits.write(0b1, count: 1)  // last block
        bits.write(0b01, count: 2)  // fixed codes
        bits.writeCode(0x30 + UInt32(byte), count: 8)
        for _ in 0..<runs {
            bits.writeCode(0b1100_0101, count: 8)  // length 258
            bits.writeCode(0, count: 5)  // distance 1
        }
        bits.writeCode(0, count: 7)  // end of block
        let count = 1 + 258 * runs
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + bits.bytes
            + littleEndian(checksum(of: byte, count: count)) + littleEndian(UInt32(count))
    }

    private static func checksum(of byte: UInt8, count: Int) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for _ in 0..<count {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    private static func littleEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

/// Packs bits from the low end of each byte upwards.
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var used = 8

    /// The lowest bit first, as headers are written.
    mutating func write(_ value: UInt32, count: Int) {
        for shift in 0..<count { append(value >> shift & 1) }
    }

    /// The highest bit first, as Huffman codes are written.
    mutating func writeCode(_ value: UInt32, count: Int) {
        for shift in (0..<count).reversed() { append(value >> shift & 1) }
    }

    private mutating func append(_ bit: UInt32) {
        if used == 8 {
            bytes.append(0)
            used = 0
        }
        bytes[bytes.count - 1] |= UInt8(bit) << used
        used += 1
    }
}
