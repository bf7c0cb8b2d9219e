import CacheLayer
import Testing

@testable import FXGateway

@Suite("The process's own figures") struct ProcessFiguresTests {
    /// The fields 5 to 24: each its own number, but for the times.
    private static let rest = (5...24).map { [14: "150", 15: "50"][$0] ?? "\($0)" }.joined(separator: " ")

    private static func figures(_ name: String, system: String) -> ProcessFigures {
        ProcessFigures(
            stat: "7 (\(name)) S 1 \(rest)\n", system: system, ticksPerSecond: 100, pageBytes: 4_096)
    }

    @Test(
        "are read from their places, whatever the process is called",
        arguments: ["fxgateway", "a b", "a) S 9 9 (b", ""])
    func places(name: String) {
        let figures = Self.figures(name, system: "cpu 1 2\nbtime 1781618400\nprocesses 3\n")
        let start: UnixMilliseconds? = UnixMilliseconds(1_781_618_400_220)
        let cpu: Duration? = .seconds(2)
        #expect(figures.cpu == cpu)
        #expect(figures.start == start)
        #expect(figures.threads == Int64(20))
        #expect(figures.residentBytes == Int64(24 * 4_096))
    }

    @Test("that are missing are left out")
    func missing() {
        #expect(Self.figures("x", system: "cpu 1\n").start == nil)
        let none = ProcessFigures(stat: "", system: "btime 1", ticksPerSecond: 100, pageBytes: 4_096)
        #expect(none.cpu == nil && none.threads == nil && none.residentBytes == nil && none.start == nil)
    }

    @Test("of this process are there and sane")
    func current() throws {
        let figures = ProcessFigures.current()
        #expect(try #require(figures.residentBytes) > 1_000_000)
        #expect(try #require(figures.threads) >= 1)
        #expect(try #require(figures.start) < .now + .seconds(2))
        #expect(try #require(figures.cpu) > .zero)
    }
}
