/// The powers of ten that one word of 128 bits can hold, and the digit counts that follow from them.
enum PowersOfTen {
    /// The highest exponent in the table: 10^38 is below 2^127, so its double still fits in a `UInt128`.
    static let highest = 38

    private static let table: [UInt128] = {
        var power: UInt128 = 1
        var table = [power]
        for _ in 0..<highest {
            power *= 10
            table.append(power)
        }
        return table
    }()

    /// 10^`exponent`; the exponent lies in `0...highest`.
    static func power(_ exponent: Int) -> UInt128 { table[exponent] }

    /// How many decimal digits the value has; 0 for zero.
    static func digitCount(of value: UInt128) -> Int {
        guard value != 0 else { return 0 }
        let bits = UInt128.bitWidth - value.leadingZeroBitCount
        // 1233 / 4096 is a little below log10(2): the guess is right or one too low, and at most 38.
        let guess = (bits * 1_233) >> 12
        return value >= table[guess] ? guess + 1 : guess
    }
}
