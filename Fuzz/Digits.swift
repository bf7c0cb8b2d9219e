/// A decimal number as the list of its digits: schoolbook arithmetic without a limit, to compare the product's with.
struct Digits: Comparable {
    /// The highest first, none of them a zero in front; empty for zero.
    let magnitude: [UInt8]
    /// How many of them are decimals.
    let scale: Int

    init(magnitude: [UInt8], scale: Int) {
        self.magnitude = Array(magnitude.drop { $0 == 0 })
        self.scale = scale
    }

    /// Reads a plain number; without meaning for anything else.
    init(plain text: [UInt8]) {
        let decimals = text.firstIndex(of: UInt8(ascii: ".")).map { text.count - $0 - 1 } ?? 0
        self.init(magnitude: text.filter { $0 != UInt8(ascii: ".") }.map { $0 &- 48 }, scale: decimals)
    }

    init(plain text: String) { self.init(plain: Array(text.utf8)) }

    /// Reads a number that may have an exponent of a few digits.
    init(scientific text: [UInt8]) {
        let parts = text.split { $0 | 32 == UInt8(ascii: "e") }
        let number = Digits(plain: Array(parts[0]))
        let exponent = parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) ?? 0 : 0
        let scale = number.scale - exponent
        self.init(
            magnitude: number.magnitude + Array(repeating: 0, count: max(0, -scale)), scale: max(0, scale))
    }

    static func == (left: Digits, right: Digits) -> Bool {
        let (one, other, _) = aligned(left, right)
        return one == other
    }

    static func < (left: Digits, right: Digits) -> Bool {
        let (one, other, _) = aligned(left, right)
        return one.count == other.count ? one.lexicographicallyPrecedes(other) : one.count < other.count
    }

    static func * (left: Digits, right: Digits) -> Digits {
        var sums = [Int](repeating: 0, count: left.magnitude.count + right.magnitude.count)
        for (i, a) in left.magnitude.reversed().enumerated() {
            for (j, b) in right.magnitude.reversed().enumerated() { sums[i + j] += Int(a) * Int(b) }
        }
        return Digits(magnitude: carried(sums), scale: left.scale + right.scale)
    }

    static func + (left: Digits, right: Digits) -> Digits {
        combined(left, right) { $0 + $1 }
    }

    /// The difference; `right` is no larger.
    static func - (left: Digits, right: Digits) -> Digits {
        combined(left, right) { $0 - $1 }
    }

    private static func combined(_ left: Digits, _ right: Digits, _ step: (Int, Int) -> Int) -> Digits {
        let (one, other, scale) = aligned(left, right)
        let count = max(one.count, other.count)
        func low(_ digits: [UInt8], _ place: Int) -> Int {
            place < digits.count ? Int(digits[digits.count - 1 - place]) : 0
        }
        return Digits(
            magnitude: carried((0..<count).map { step(low(one, $0), low(other, $0)) } + [0]), scale: scale)
    }

    /// Digits, highest first, of sums that stand lowest first.
    private static func carried(_ sums: [Int]) -> [UInt8] {
        var carry = 0
        var digits: [UInt8] = []
        for sum in sums {
            let total = sum + carry
            let digit = (total % 10 + 10) % 10
            carry = (total - digit) / 10
            digits.append(UInt8(digit))
        }
        while carry > 0 {
            digits.append(UInt8(carry % 10))
            carry /= 10
        }
        return digits.reversed()
    }

    private static func aligned(_ left: Digits, _ right: Digits) -> ([UInt8], [UInt8], Int) {
        let scale = max(left.scale, right.scale)
        func filled(_ number: Digits) -> [UInt8] {
            number.magnitude.isEmpty
                ? [] : number.magnitude + Array(repeating: 0, count: scale - number.scale)
        }
        return (filled(left), filled(right), scale)
    }
}
