/// The addresses that proxies have noted on a request's way.
///
/// In the order of the way: the last one is what the nearest proxy saw. Nil stands for what is no address: `unknown`, a
/// made-up name, garbage.
enum ForwardedHops {
    /// The elements of one `X-Forwarded-For` field, which no standard describes: addresses, with a port or in brackets as
    /// some proxies write them.
    static func ofForwardedFor(_ value: UnsafeRawBufferPointer) -> [IPAddress?] {
        value.split(separator: UInt8(ascii: ","))
            .map { trimmed($0) }.filter { !$0.isEmpty }.map { address(of: $0) }
    }

    /// The `for` parameters of one `Forwarded` field (RFC 7239 section 4), an element each.
    ///
    /// An element without one is a hop that doesn't say from where. Where quotes don't pair nothing is told apart, so all of
    /// it is one hop without an address.
    static func ofForwarded(_ value: UnsafeRawBufferPointer) -> [IPAddress?] {
        guard let elements = split(value[...], at: UInt8(ascii: ",")) else { return [nil] }
        return elements.map { trimmed($0) }.filter { !$0.isEmpty }.map { element in
            let pairs = (split(element, at: UInt8(ascii: ";")) ?? []).map { trimmed($0) }
            let nodes = pairs.compactMap { node(of: $0) }
            // Twice is one parameter too many (section 4), and nobody knows which one counts.
            guard nodes.count == 1 else { return nil }
            return address(of: nodes[0][...])
        }
    }

    /// The value of a `for` parameter without its quotes; nil for any other parameter.
    private static func node(of pair: Slice<UnsafeRawBufferPointer>) -> [UInt8]? {
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")),
            pair[..<equals].lowercasedASCII == Array("for".utf8)
        else { return nil }
        let value = pair[(equals + 1)...]
        guard value.first == UInt8(ascii: "\"") else { return Array(value) }
        guard value.count >= 2, value.last == UInt8(ascii: "\"") else { return [] }
        // No address holds what a backslash would quote: it stays, and makes it none.
        return Array(value.dropFirst().dropLast())
    }

    /// An address, alone or with a port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:80`.
    private static func address(of text: some BidirectionalCollection<UInt8>) -> IPAddress? {
        let colon = UInt8(ascii: ":")
        if text.first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || (rest.first == colon && isPort(rest.dropFirst())) else { return nil }
            let inside = text[..<end].dropFirst()
            return inside.contains(colon) ? IPAddress(parsing: Array(inside)) : nil
        }
        guard let first = text.firstIndex(of: colon) else { return IPAddress(parsing: Array(text)) }
        let behind = text[text.index(after: first)...]
        if behind.contains(colon) { return IPAddress(parsing: Array(text)) }
        return isPort(behind) ? IPAddress(parsing: Array(text[..<first])) : nil
    }

    private static func isPort(_ text: some Collection<UInt8>) -> Bool {
        (1...5).contains(text.count)
            && text.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Splits outside of quotes; nil if a quote has no end.
    private static func split(
        _ text: Slice<UnsafeRawBufferPointer>, at separator: UInt8
    ) -> [Slice<UnsafeRawBufferPointer>]? {
        var parts: [Slice<UnsafeRawBufferPointer>] = []
        var (start, isQuoted, isEscaped) = (text.startIndex, false, false)
        for index in text.indices {
            if isEscaped {
                isEscaped = false
            } else if text[index] == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if isQuoted, text[index] == UInt8(ascii: "\\") {
                isEscaped = true
            } else if !isQuoted, text[index] == separator {
                parts.append(text[start..<index])
                start = index + 1
            }
        }
        parts.append(text[start...])
        return isQuoted ? nil : parts
    }

    private static func trimmed(_ text: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var text = text
        while let first = text.first, first == 0x20 || first == 0x09 { text = text.dropFirst() }
        while let last = text.last, last == 0x20 || last == 0x09 { text = text.dropLast() }
        return text
    }
}

extension Slice where Base == UnsafeRawBufferPointer {
    fileprivate var lowercasedASCII: [UInt8] {
        map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}
