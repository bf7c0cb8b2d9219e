import Glibc

/// The cost of one call of a piece: rounds of about 50 ms of the thread's CPU time each.
struct Measurement {
    private static let rounds = 7
    private static let roundNanoseconds = 50_000_000

    let name: String
    /// Nanoseconds a call, one for each round, in ascending order.
    let nanoseconds: [Int]

    init(of piece: Piece) {
        name = piece.name
        var count = 1
        var sum = 0
        // A first round that is long enough to be told from the clock's own cost.
        while Self.cpu({ sum &+= piece.run(count) }) < Self.roundNanoseconds / 10 { count *= 2 }
        let picoseconds = (0..<Self.rounds).map { _ in
            Self.cpu { sum &+= piece.run(count * 10) } * 100 / count
        }
        nanoseconds = picoseconds.map { $0 / 1_000 }.sorted()
        withExtendedLifetime(sum) {}
    }

    /// Name, median, least and most.
    var line: String {
        let median = nanoseconds[nanoseconds.count / 2]
        let padded = name.padding(toLength: 34)
        return "\(padded) \(median) ns  (\(nanoseconds[0]) ... \(nanoseconds[nanoseconds.count - 1]))"
    }

    private static func cpu(_ body: () -> Void) -> Int {
        let start = now()
        body()
        return now() - start
    }

    private static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

extension String {
    fileprivate func padding(toLength length: Int) -> String {
        self + String(repeating: " ", count: max(0, length - count))
    }
}
