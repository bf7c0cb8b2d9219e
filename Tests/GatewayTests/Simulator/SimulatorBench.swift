import Foundation

@testable import UpstreamSimulator

/// A simulated upstream without a socket whose real clock is moved by hand.
struct SimulatorBench {
    var state: SimulatorState
    private(set) var reading: Int64 = 1_000_000

    /// A bench at a simulated time, `2026-10-28T10:00:00Z` unless given; the true calendar holds there.
    init(
        at time: String = "2026-10-28T10:00:00Z", shiftWeeks: Int? = nil,
        _ change: (inout SimulatorConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = SimulatorConfiguration()
        configuration.clock = try Self.time(time)
        configuration.shiftWeeks = shiftWeeks
        change(&configuration)
        state = SimulatorState(configuration: configuration, reading: reading)
    }

    static func time(_ text: String) throws -> SimulatedTime {
        guard let time = SimulatedTime(parsing: text) else { throw BenchError.notATime(text) }
        return time
    }

    static func day(_ text: String) throws -> CalendarDay {
        guard let day = CalendarDay(parsing: text) else { throw BenchError.notATime(text) }
        return day
    }

    enum BenchError: Error { case notATime(String), notAnObject(String) }

    var now: SimulatedTime { state.now(reading: reading) }

    mutating func pass(_ duration: Duration) { reading += duration.wholeMilliseconds }

    mutating func call(_ request: UpstreamRequest) -> PlannedAnswer {
        let (ticket, answer) = state.receive(request, reading: reading)
        state.end(ticket)
        return answer
    }

    mutating func get(_ target: String, key: String? = nil) -> PlannedAnswer {
        var request = UpstreamRequest(target: target)
        request.authorization = key.map { "Bearer \($0)" }
        return call(request)
    }

    mutating func post(_ target: String, _ body: String) -> PlannedAnswer {
        var request = UpstreamRequest(target: target)
        request.method = "POST"
        request.body = Array(body.utf8)
        return call(request)
    }

    mutating func control(_ method: String, _ target: String, _ body: String = "") -> PlannedAnswer {
        var request = UpstreamRequest(target: target)
        request.method = method
        request.body = Array(body.utf8)
        return ControlRoutes.answer(request, state: &state, reading: reading)
    }
}

extension PlannedAnswer {
    var text: String { String(decoding: body, as: UTF8.self) }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The body as an object, read by Foundation.
    func object() throws -> [String: Any] {
        guard let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] else {
            throw SimulatorBench.BenchError.notAnObject(text)
        }
        return object
    }

    /// The `code` of an error body.
    var code: String? { try? object()["code"] as? String }

    /// The digits of a rate in the body, as they stand there.
    func digits(of symbol: String) -> String? { text.digits(after: "\"\(symbol)\":") }
}

extension String {
    /// The JSON number that follows the first `mark` which has one; strings under the same key are passed over.
    func digits(after mark: String) -> String? {
        var rest = self[...]
        while let range = rest.range(of: mark) {
            rest = rest[range.upperBound...]
            let digits = rest.prefix { "0123456789.e-+".contains($0) }
            if !digits.isEmpty { return String(digits) }
        }
        return nil
    }

    /// The names of an object's own members in their order.
    var memberNames: [String] {
        var names: [String] = []
        var depth = 0
        var isInString = false
        var isName = false
        var name = ""
        for character in self {
            if isInString {
                if character == "\"" { isInString = false } else if depth == 1 { name.append(character) }
                continue
            }
            switch character {
            case "{", "[":
                depth += 1
                isName = character == "{"
            case "}", "]": depth -= 1
            case ",": isName = true
            case ":":
                if depth == 1, isName {
                    names.append(name)
                    isName = false
                }
            case "\"":
                isInString = true
                name = ""
            default: break
            }
        }
        return names
    }
}
