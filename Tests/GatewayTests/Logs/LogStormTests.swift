import EventLoop
import Foundation
import Testing

@testable import Telemetry

@Suite("Log storms")
struct LogStormTests {
    /// A logger on a clock in the hand, and the lines that it has written.
    private final class Bench: Sendable {
        private let moved = Locked(Duration.zero)
        private let lines = Locked<[String]>([])
        private let start = ContinuousClock.now

        func logger(_ level: LogLevel = .info, _ format: Logger.Format = .json) -> Logger {
            Logger(
                level: level, format: format, now: { Date(timeIntervalSince1970: 0) },
                elapsed: { self.start + self.moved.withLock { $0 } },
                sink: { bytes in self.lines.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } })
        }

        func advance(_ duration: Duration) { moved.withLock { $0 += duration } }

        /// The lines since the last time.
        func taken() -> [String] {
            lines.withLock { lines in
                defer { lines = [] }
                return lines
            }
        }
    }

    private static let most = LogStorm.most

    @Test("the first lines of an event come at once, the others as one number when the window ends")
    func storm() {
        let bench = Bench()
        let logger = bench.logger()
        for number in 1...(Self.most + 25) {
            logger.log(.warning, "Redis is not reached", [.attempt: String(number)])
        }
        let first = bench.taken()
        #expect(first.count == Self.most)
        #expect(first.first?.contains("\"attempt\":\"1\"") == true)
        bench.advance(LogStorm.window - .milliseconds(1))
        logger.tellEnded()
        #expect(bench.taken().isEmpty)
        bench.advance(.milliseconds(1))
        logger.tellEnded()
        #expect(
            bench.taken() == [
                #"{"time":"1970-01-01T00:00:00.000Z","level":"warning","message":"Redis is not reached","suppressed":"25","seconds":"60"}"#
                    + "\n"
            ])
        logger.tellEnded()
        #expect(bench.taken().isEmpty)
        // A new window: written at once again.
        logger.log(.warning, "Redis is not reached")
        #expect(bench.taken().count == 1)
    }

    @Test("a rare event is never held back, however much another one storms")
    func rare() {
        let bench = Bench()
        let logger = bench.logger()
        for _ in 1...1_000 { logger.log(.warning, "Redis is not reached") }
        _ = bench.taken()
        logger.log(.error, "Redis is not reached")
        logger.log(.warning, "the store can't be asked")
        #expect(bench.taken().count == 2)
        for _ in 1...100 {
            bench.advance(LogStorm.window / 5)
            logger.log(.warning, "the store can't be asked")
        }
        let lines = bench.taken()
        #expect(lines.count { $0.contains("can't be asked") } == 100)
        #expect(!lines.contains { $0.contains("can't be asked") && $0.contains("suppressed") })
    }

    @Test("what was kept back is told before the event's next line, also if nobody asked for it meanwhile")
    func toldBeforeNext() {
        let bench = Bench()
        let logger = bench.logger(.info, .text)
        for _ in 0...Self.most { logger.log(.notice, "Redis answers") }
        _ = bench.taken()
        bench.advance(LogStorm.window)
        logger.log(.notice, "Redis answers")
        #expect(
            bench.taken() == [
                "1970-01-01T00:00:00.000Z notice Redis answers suppressed=\"1\" seconds=\"60\"\n",
                "1970-01-01T00:00:00.000Z notice Redis answers\n",
            ])
    }

    @Test("at the end all is told, once")
    func end() {
        let bench = Bench()
        let logger = bench.logger()
        for _ in 1...(Self.most + 2) {
            logger.log(.notice, "Redis answers")
            logger.log(.warning, "Redis is not reached")
        }
        _ = bench.taken()
        logger.tellAll()
        #expect(bench.taken().count { $0.contains("\"suppressed\":\"2\"") } == 2)
        logger.tellAll()
        #expect(bench.taken().isEmpty)
    }

    @Test("lines that are wanted one by one are all written: the access log's, and those of debug and trace")
    func oneByOne() {
        let bench = Bench()
        let logger = bench.logger(.trace)
        for _ in 1...100 {
            logger.logEach(.info, "request answered", [(.status, "200")])
            logger.log(.debug, "a table was fetched")
            logger.log(.trace, "asked")
        }
        bench.advance(LogStorm.window)
        logger.tellEnded()
        #expect(bench.taken().count == 300)
    }

    @Test("a level that isn't written isn't counted either")
    func belowLevel() {
        let bench = Bench()
        let logger = bench.logger(.error)
        for _ in 1...100 { logger.log(.warning, "Redis is not reached") }
        logger.tellAll()
        #expect(bench.taken().isEmpty)
    }

    @Test("memory is bounded: beyond so many events at a time they are written and not watched")
    func bounded() {
        var storm = LogStorm()
        let now = ContinuousClock.now
        for number in 0..<LogStorm.mostEvents { _ = storm.meet(.error, "event \(number)", at: now) }
        for _ in 0...Self.most {
            let one = storm.meet(.error, "one more", at: now)
            #expect(one.isWritten)
        }
        for _ in 0..<Self.most { _ = storm.meet(.error, "event 0", at: now) }
        #expect(storm.takeAll().map(\.count) == [1])
        // Their windows are over: there is room again.
        for _ in 0..<Self.most { _ = storm.meet(.error, "one more", at: now) }
        let watched = storm.meet(.error, "one more", at: now)
        #expect(!watched.isWritten)
    }

    @Test(
        "C162: a line is one line of JSON, whatever its values hold",
        arguments: [
            "a\nb", "\r\n{\"level\":\"error\"}", "\u{2028}\u{2029}", "\u{1b}[31mred\u{1b}[0m",
            "\u{0}\u{7f}\u{9b}",
            "\u{202e}abc", "\"\\", String(repeating: "😀", count: 2_000),
            "a" + String(repeating: "😀", count: 600),
            "e\u{301}\u{feff}",
        ] as [String])
    func injection(value: String) throws {
        for format in [Logger.Format.json, .text] {
            let bench = Bench()
            bench.logger(.info, format).log(.error, "upstream failed", [.reason: value, .status: "500"])
            let lines = bench.taken()
            let line = try #require(lines.first)
            #expect(lines.count == 1 && line.hasSuffix("\n"))
            #expect(line.dropLast().utf8.allSatisfy { (0x20...0x7E).contains($0) })
            guard format == .json else { continue }
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
            #expect(object["status"] == "500")
            let told = try #require(object["reason"])
            #expect(value.hasPrefix(told) || value == told)
        }
    }
}
