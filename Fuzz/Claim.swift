/// Ends the process unless `holds`: libFuzzer then keeps the input and says `sentence`.
func claim(
    _ holds: @autoclosure () -> Bool, _ sentence: @autoclosure () -> String, line: UInt = #line,
    file: StaticString = #fileID
) {
    guard !holds() else { return }
    fatalError("what must hold doesn't: \(sentence())", file: file, line: line)
}

/// Claims what every message for people has to be: one line of printable ASCII, and bounded.
func claimIsFit(_ message: String, atMost count: Int, line: UInt = #line) {
    claim(message.utf8.count <= count, "a message has \(message.utf8.count) bytes: \(message)", line: line)
    claim(
        message.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "a message isn't printable: \(message)",
        line: line)
}
