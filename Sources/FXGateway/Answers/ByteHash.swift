import Glibc

/// A quick hash of bytes that nobody outside can foretell.
///
/// The seed is from the system's randomness, so that nobody can choose bytes that share a place.
struct ByteHash {
    private let seed = UInt64.random(in: 1...UInt64.max)

    /// Eight bytes at a time, multiplied and folded; the seed makes it this process's own.
    @inline(__always)
    func callAsFunction(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = seed ^ UInt64(truncatingIfNeeded: bytes.count) &* 0x9E37_79B9_7F4A_7C15
        var index = 0
        while index &+ 8 <= bytes.count {
            hash = Self.mix(hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            index &+= 8
        }
        var tail: UInt64 = 0
        while index < bytes.count {
            tail = tail << 8 | UInt64(bytes[index])
            index &+= 1
        }
        return Self.mix(hash ^ tail)
    }

    @inline(__always)
    static func equal(_ known: [UInt8], _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard known.count == bytes.count, let start = bytes.baseAddress else { return false }
        return known.withUnsafeBytes { known in
            known.baseAddress.map { memcmp($0, start, bytes.count) == 0 } ?? false
        }
    }

    @inline(__always)
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }
}
