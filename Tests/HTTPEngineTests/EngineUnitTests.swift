import Testing

@testable import HTTPEngine

@Suite("Deadline wheel")
struct DeadlineWheelTests {
    private func expired(_ wheel: inout DeadlineWheel, _ tick: UInt32) -> [Int] {
        var slots: [Int] = []
        while let slot = wheel.nextExpired(upTo: tick) { slots.append(slot) }
        return slots.sorted()
    }

    @Test("tells each slot at its tick, not before and once")
    func order() {
        var wheel = DeadlineWheel(now: 10, size: 8)
        wheel.set(0, at: 12)
        wheel.set(3, at: 12)
        wheel.set(1, at: 30)
        #expect(expired(&wheel, 11) == [])
        #expect(expired(&wheel, 12) == [0, 3])
        #expect(expired(&wheel, 29) == [])
        #expect(expired(&wheel, 30) == [1])
        #expect(expired(&wheel, 1000) == [])
    }

    @Test("follows deadlines that move, either way, and forgets removed ones")
    func moves() {
        var wheel = DeadlineWheel(now: 1, size: 8)
        wheel.set(0, at: 3)
        wheel.set(0, at: 50)
        wheel.set(1, at: 50)
        wheel.set(1, at: 4)
        wheel.set(2, at: 4)
        wheel.remove(2)
        wheel.set(3, at: 5)
        wheel.set(3, at: DeadlineWheel.never)
        #expect(expired(&wheel, 49) == [1])
        #expect(expired(&wheel, 50) == [0])
        #expect(expired(&wheel, 500) == [])
    }

    @Test("a past deadline comes at the next tick, and a long pause loses none")
    func jumps() {
        var wheel = DeadlineWheel(now: 100, size: 8)
        wheel.set(0, at: 1)
        for slot in 1..<50 { wheel.set(slot, at: 100 + UInt32(slot)) }
        #expect(expired(&wheel, 10_000) == Array(0..<50))
    }

    @Test("agrees with a plain list over ten thousand random moves")
    func model() {
        var wheel = DeadlineWheel(now: 1, size: 16)
        var model: [Int: UInt32] = [:]
        var random = SplitMix(state: 7)
        for _ in 0..<10_000 {
            let slot = Int(random.next() % 40)
            switch random.next() % 4 {
            case 0:
                wheel.remove(slot)
                model[slot] = nil
            case 1:
                let tick = wheel.now + UInt32(random.next() % 3)
                let due = model.filter { $0.value <= tick }.map(\.key).sorted()
                for slot in due { model[slot] = nil }
                #expect(expired(&wheel, tick) == due)
            default:
                let tick = wheel.now + UInt32(random.next() % 60)
                wheel.set(slot, at: tick)
                model[slot] = max(tick, wheel.now + 1)
            }
        }
    }

    private struct SplitMix {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}

@Suite("Answers' bytes")
struct AnswerBytesTests {
    @Test(
        "dates are those of RFC 9110",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"), (1_796_025_599, "Mon, 30 Nov 2026 07:59:59 GMT"),
            (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        ])
    func dates(_ second: Int, _ text: String) {
        let date = HTTPDate()
        date.write(second: second)
        #expect(String(decoding: date.date, as: UTF8.self) == text)
    }

    @Test(
        "numbers are written digit for digit",
        arguments: [0, 9, 10, 99, 100, 65_536, 999_999_999_999, Int.max])
    func decimals(_ value: Int) {
        let output = OutputBuffer()
        output.append("x")
        output.append(decimal: value)
        #expect(String(decoding: output.bytes, as: UTF8.self) == "x\(value)")
    }

    @Test(
        "hexadecimal numbers have no leading zeros, or all",
        arguments: [0, 1, 15, 16, 255, 65_536, UInt32.max])
    func hexadecimals(_ value: UInt32) {
        let output = OutputBuffer()
        output.append(hexadecimal: value, padded: false)
        output.append(",")
        output.append(hexadecimal: value, padded: true)
        let plain = String(value, radix: 16)
        let padded = String(repeating: "0", count: 8 - plain.utf8.count) + plain
        #expect(String(decoding: output.bytes, as: UTF8.self) == "\(plain),\(padded)")
    }

    @Test("buffers keep their bytes however they are filled and emptied")
    func buffers() {
        var buffer = ByteBuffer()
        var model: [UInt8] = []
        for round in 0..<500 {
            let bytes = (0..<(round * 7 % 300)).map { UInt8(truncatingIfNeeded: $0 + round) }
            bytes.withUnsafeBytes { buffer.append($0) }
            model += bytes
            let count = min(model.count, round * 13 % 280)
            buffer.removeFirst(count)
            model.removeFirst(count)
            #expect(Array(buffer.bytes) == model)
        }
        buffer.release()
        #expect(buffer.isEmpty && buffer.heldBytes == 0)
    }

    @Test("a value can't end its line")
    func injection() {
        let writer = ResponseWriter(output: OutputBuffer(), date: HTTPDate())
        writer.prepare(for: nil, idPrefix: 1, serial: 2, keepsAlive: true, mayPark: false)
        writer.begin(status: 299)
        writer.field("X", "a\r\nSet-Cookie: b\u{0}\u{7f}")
        writer.end()
        let text = String(decoding: writer.output.bytes, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 299 \r\nDate: "))
        #expect(text.contains("\r\nX-Request-Id: 0000000100000002\r\nX: a  Set-Cookie: b  \r\n"))
        #expect(text.hasSuffix("\r\nContent-Length: 0\r\n\r\n"))
    }

    @Test("204 and 304 have no length and no body", arguments: [204, 304])
    func bodiless(_ status: Int) {
        let writer = ResponseWriter(output: OutputBuffer(), date: HTTPDate())
        writer.prepare(for: nil, idPrefix: 1, serial: 2, keepsAlive: false, mayPark: false)
        writer.begin(status: status)
        writer.end(body: "x")
        let text = String(decoding: writer.output.bytes, as: UTF8.self)
        #expect(text.hasSuffix("\r\nConnection: close\r\n\r\n"))
        #expect(!text.contains("Content-Length"))
    }
}
