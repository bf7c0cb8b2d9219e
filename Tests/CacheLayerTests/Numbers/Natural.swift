/// A natural number of any size, by schoolbook arithmetic: an oracle that shares no code with what it checks.
struct Natural: Comparable {
    /// Little-endian in base 10^9, without zeros at the end.
    private var limbs: [UInt64] = []

    private static let base: UInt64 = 1_000_000_000

    /// Reads digits; a point is passed over.
    init(digits: String) {
        let bytes = Array(digits.utf8).filter { $0 != UInt8(ascii: ".") }
        var end = bytes.count
        while end > 0 {
            let start = max(0, end - 9)
            limbs.append(bytes[start..<end].reduce(0) { $0 * 10 + UInt64($1 - UInt8(ascii: "0")) })
            end = start
        }
        trim()
    }

    static func * (left: Natural, right: Natural) -> Natural {
        var product = Natural(digits: "")
        product.limbs = [UInt64](repeating: 0, count: left.limbs.count + right.limbs.count)
        for (i, a) in left.limbs.enumerated() {
            var carry: UInt64 = 0
            for (j, b) in right.limbs.enumerated() {
                let sum = product.limbs[i + j] + a * b + carry
                product.limbs[i + j] = sum % base
                carry = sum / base
            }
            product.limbs[i + right.limbs.count] += carry
        }
        product.trim()
        return product
    }

    static func + (left: Natural, right: Natural) -> Natural {
        var sum = Natural(digits: "")
        var carry: UInt64 = 0
        for i in 0..<max(left.limbs.count, right.limbs.count) {
            let total =
                (i < left.limbs.count ? left.limbs[i] : 0) + (i < right.limbs.count ? right.limbs[i] : 0)
                + carry
            sum.limbs.append(total % base)
            carry = total / base
        }
        sum.limbs.append(carry)
        sum.trim()
        return sum
    }

    static func < (left: Natural, right: Natural) -> Bool {
        if left.limbs.count != right.limbs.count { return left.limbs.count < right.limbs.count }
        for (a, b) in zip(left.limbs.reversed(), right.limbs.reversed()) where a != b { return a < b }
        return false
    }

    /// The number with so many zeros behind it.
    func shifted(_ zeros: Int) -> Natural {
        self * Natural(digits: "1" + String(repeating: "0", count: zeros))
    }

    var isOdd: Bool { (limbs.first ?? 0) % 2 == 1 }

    private mutating func trim() {
        while limbs.last == 0 { limbs.removeLast() }
    }
}
