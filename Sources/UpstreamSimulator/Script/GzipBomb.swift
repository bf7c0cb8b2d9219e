/// A small gzip stream (RFC 1952) that unpacks to very many zeros.
///
/// One deflate block with the fixed codes (RFC 1951 section 3.2.6): a zero, then copies of 258 bytes from distance 1,
/// 13 bits each.
enum GzipBomb {
    /// Unpacked bytes at most: 1 GiB, about 7 MB packed.
    static let limit = 1 << 30

    static func bytes(unpackingTo size: Int) -> [UInt8] {
        var bits = BitWriter(bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
        bits.write(0b1, count: 1)  // last block
        bits.write(0b01, count: 2)  // fixed codes
        var rest = size
        if rest > 0 {
            bits.writeCode(0x30, count: 8)  // literal 0
            rest -= 1
        }
        while rest >= 258 {
            bits.writeCode(0b1100_0101, count: 8)  // length 258
            bits.writeCode(0, count: 5)  // distance 1
            rest -= 258
        }
        for _ in 0..<rest { bits.writeCode(0x30, count: 8) }
        bits.writeCode(0, count: 7)  // end of block
        var bytes = bits.flushed
        for value in [checksum(ofZeros: size), UInt32(truncatingIfNeeded: size)] {
            for shift in stride(from: UInt32(0), to: 32, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
        return bytes
    }

    /// CRC-32 of so many zero bytes.
    ///
    /// A zero byte maps the register by a matrix over GF(2); its powers by squaring give any count in a few steps.
    static func checksum(ofZeros count: Int) -> UInt32 {
        var power = (0..<32).map { bit -> UInt32 in
            (0..<8).reduce(UInt32(1) << UInt32(bit)) { register, _ in
                register & 1 == 1 ? register >> 1 ^ 0xEDB8_8320 : register >> 1
            }
        }
        func apply(_ matrix: [UInt32], to register: UInt32) -> UInt32 {
            matrix.indices.reduce(UInt32(0)) { $0 ^ (register >> UInt32($1) & 1 == 1 ? matrix[$1] : 0) }
        }
        var register = UInt32.max
        var rest = count
        while rest > 0 {
            if rest & 1 == 1 { register = apply(power, to: register) }
            power = power.map { apply(power, to: $0) }
            rest >>= 1
        }
        return ~register
    }

    private struct BitWriter {
        private var bytes: [UInt8]
        private var pending: UInt32 = 0
        private var pendingCount: UInt32 = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        /// Plain values go lowest bit first.
        mutating func write(_ value: UInt32, count: UInt32) {
            pending |= value << pendingCount
            pendingCount += count
            while pendingCount >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: pending))
                pending >>= 8
                pendingCount -= 8
            }
        }

        /// Huffman codes go highest bit first.
        mutating func writeCode(_ code: UInt32, count: UInt32) {
            for bit in stride(from: count, to: 0, by: -1) { write(code >> (bit - 1) & 1, count: 1) }
        }

        /// The stream's last byte is filled with zeros.
        var flushed: [UInt8] { pendingCount > 0 ? bytes + [UInt8(truncatingIfNeeded: pending)] : bytes }
    }
}
