import Glibc

/// A growing run of bytes, consumed from the front; holds no memory while it is empty and was never filled.
struct ByteBuffer: ~Copyable {
    private var base: UnsafeMutableRawPointer?
    private var start: UInt32 = 0
    private var end: UInt32 = 0
    private var capacity: UInt32 = 0

    init() {}

    deinit { free(base) }

    var count: Int { Int(end &- start) }
    var isEmpty: Bool { start == end }
    /// Memory it holds, used or not.
    var heldBytes: Int { Int(capacity) }

    /// Valid until the next change of this buffer.
    var bytes: UnsafeRawBufferPointer {
        guard let base else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: base + Int(start), count: count)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        let tail = reserve(bytes.count)
        tail.copyMemory(from: source, byteCount: bytes.count)
        end &+= UInt32(bytes.count)
    }

    mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func removeFirst(_ count: Int) {
        start &+= UInt32(count)
        if start == end {
            start = 0
            end = 0
        }
    }

    /// Gives the memory back.
    mutating func release() {
        free(base)
        base = nil
        start = 0
        end = 0
        capacity = 0
    }

    /// The tail, with room for `count` bytes; only `append` counts them in.
    private mutating func reserve(_ count: Int) -> UnsafeMutableRawPointer {
        if let base, Int(end) + count <= Int(capacity) { return base + Int(end) }
        let kept = self.count
        precondition(kept + count <= Int(UInt32.max) / 2, "a buffer of one connection stays far below 2 GiB")
        if let base, start > 0, kept + count <= Int(capacity) {
            memmove(base, base + Int(start), kept)
            start = 0
            end = UInt32(kept)
            return base + kept
        }
        let size = max(256, (kept + count).nextPowerOfTwo)
        guard let grown = malloc(size) else { fatalError("out of memory") }
        if let base { memcpy(grown, base + Int(start), kept) }
        free(base)
        base = grown
        start = 0
        end = UInt32(kept)
        capacity = UInt32(size)
        return grown + kept
    }
}

extension Int {
    /// The smallest power of two that isn't smaller; for sizes well below the type's limit.
    fileprivate var nextPowerOfTwo: Int {
        self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount)
    }
}
