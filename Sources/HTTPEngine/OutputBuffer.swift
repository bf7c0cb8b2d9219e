import Glibc

/// The one buffer in which a loop builds its answers before they go out in one call.
///
/// It grows to the largest batch it met, and shrinks back when emptied after an outsized one. Loop's thread only.
final class OutputBuffer {
    private(set) var base: UnsafeMutableRawPointer
    private(set) var count = 0
    private var capacity: Int

    private static let usualCapacity = 128 * 1024

    init() {
        capacity = Self.usualCapacity
        base = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { base.deallocate() }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    @inline(__always)
    func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        append(source, count: bytes.count)
    }

    @inline(__always)
    func append(_ source: UnsafeRawPointer, count length: Int) {
        if count &+ length > capacity { grow(by: length) }
        (base + count).copyMemory(from: source, byteCount: length)
        count &+= length
    }

    @inline(__always)
    func append(_ text: StaticString) {
        append(text.utf8Start, count: text.utf8CodeUnitCount)
    }

    func append(_ byte: UInt8) {
        if count == capacity { grow(by: 1) }
        base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    /// Appends a non-negative number's decimal digits.
    func append(decimal value: Int) {
        precondition(value >= 0, "lengths and the like are never negative")
        if count &+ 20 > capacity { grow(by: 20) }
        var digits = 1
        var bound = 10
        while digits < 19, value >= bound {
            digits &+= 1
            bound = digits < 19 ? bound &* 10 : Int.max
        }
        var rest = value
        var place = count &+ digits
        count = place
        repeat {
            place &-= 1
            base.storeBytes(
                of: UInt8(truncatingIfNeeded: rest % 10) &+ 48, toByteOffset: place, as: UInt8.self)
            rest /= 10
        } while rest > 0
    }

    /// Appends a number's hexadecimal digits: all eight, or without leading zeros.
    func append(hexadecimal value: UInt32, padded: Bool) {
        if count &+ 8 > capacity { grow(by: 8) }
        let digits = padded ? 8 : max(1, (35 - value.leadingZeroBitCount) / 4)
        var rest = value
        for place in stride(from: count &+ digits &- 1, through: count, by: -1) {
            let digit = UInt8(truncatingIfNeeded: rest) & 15
            base.storeBytes(of: digit < 10 ? digit &+ 48 : digit &+ 87, toByteOffset: place, as: UInt8.self)
            rest >>= 4
        }
        count &+= digits
    }

    /// Forgets everything behind `mark`, a `count` taken before.
    func truncate(to mark: Int) {
        count = min(count, mark)
    }

    func removeAll() {
        count = 0
        guard capacity > 4 * Self.usualCapacity else { return }
        base.deallocate()
        capacity = Self.usualCapacity
        base = .allocate(byteCount: capacity, alignment: 16)
    }

    @inline(never)
    private func grow(by length: Int) {
        let size = max(capacity * 2, count + length)
        let grown = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        grown.copyMemory(from: base, byteCount: count)
        base.deallocate()
        base = grown
        capacity = size
    }
}
