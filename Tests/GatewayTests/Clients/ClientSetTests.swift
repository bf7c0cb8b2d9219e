import CacheLayer
import Testing

@testable import FXGateway

@Suite("Clients and their tokens")
struct ClientSetTests {
    private func find(_ token: String, in set: ClientSet) -> Client? {
        Array(token.utf8).withUnsafeBytes { set.client(with: $0) }
    }

    @Test("each of a client's tokens finds it, wherever it stands; nothing else does")
    func find() {
        let entries = (0..<5).map { SampleClients.entry("c\($0)", "t\($0)-old", "t\($0)-new") }
        let set = ClientSet(entries, names: ClientNames())
        for index in 0..<5 {
            #expect(find("t\(index)-old", in: set)?.name == "c\(index)")
            #expect(find("t\(index)-new", in: set)?.name == "c\(index)")
        }
        for wrong in ["", "t0-ol", "t0-oldx", "T0-old", "c0", SampleClients.hexadecimal("t0-old")] {
            #expect(find(wrong, in: set) == nil, "\(wrong)")
        }
        #expect(find("t0-old", in: ClientSet([], names: ClientNames())) == nil)
    }

    @Test("every token of the fullest file is found, and nothing beside them", arguments: [1, 2, 3, 17, 256])
    func many(count: Int) {
        let entries = (0..<count).map { index in
            SampleClients.entry("c\(index)", "\(index)-a", "\(index)-b", "\(index)-c", "\(index)-d")
        }
        let set = ClientSet(entries, names: ClientNames())
        for index in 0..<count {
            for end in ["a", "b", "c", "d"] { #expect(find("\(index)-\(end)", in: set)?.name == "c\(index)") }
            #expect(find("\(index)-e", in: set) == nil)
        }
    }

    @Test("a new file moves no client's number and refills no allowance that stays as it was")
    func reload() {
        let names = ClientNames()
        let first = ClientSet(
            [SampleClients.entry("a", "1", perMinute: 5), SampleClients.entry("b", "2", perMinute: 5)],
            names: names)
        let second = ClientSet(
            [
                SampleClients.entry("new", "3"), SampleClients.entry("b", "2", perMinute: 6),
                SampleClients.entry("a", "9", perMinute: 5),
            ], names: names, after: first)
        #expect(find("9", in: second)?.number == find("1", in: first)?.number)
        #expect(find("9", in: second)?.cell === find("1", in: first)?.cell)
        #expect(find("2", in: second)?.number == find("2", in: first)?.number)
        #expect(find("2", in: second)?.cell !== find("2", in: first)?.cell)
        #expect(find("1", in: second) == nil)
        #expect(find("3", in: second)?.cell == nil)
    }

    @Test("names are numbered once, as many as there is room for; those that come later are the others")
    func names() {
        let names = ClientNames()
        var first = ClientNameTable(names)
        var second = ClientNameTable(names)
        func number(_ name: String, _ table: inout ClientNameTable) -> Int {
            Array(name.utf8).withUnsafeBytes { table.number(of: $0) }
        }
        for index in 0..<255 { #expect(number("n\(index)", &first) == index + 3) }
        #expect(number("last", &second) == 258)
        #expect(number("late", &first) == ClientNames.other)
        #expect(number("late", &second) == ClientNames.other)
        #expect(number("last", &first) == 258)
        #expect(number("n7", &second) == 10)
        #expect(names.all.count == ClientNames.count)
        #expect(names.name(of: 258) == "last")
    }

    @Test(
        "a name of another form is none",
        arguments: ["", "a b", "(none)", "ä", "a\tb", "a\"b", "x/y", String(repeating: "n", count: 65)])
    func form(name: String) {
        var table = ClientNameTable(ClientNames())
        #expect(Array(name.utf8).withUnsafeBytes { table.number(of: $0) } == ClientNames.unnamed)
    }
}
