/// A second, plain reading of a chunked body (RFC 9112 section 7.1), to compare the parser's with.
enum Chunks {
    /// The data; nil for what isn't one whole chunked body.
    static func decoded(_ raw: [UInt8]) -> [UInt8]? {
        var rest = raw[...]
        var data: [UInt8] = []
        while let line = takeLine(&rest) {
            let digits = line.prefix { $0 != 0x3B && $0 != 0x20 && $0 != 9 }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0 else {
                return nil
            }
            guard size > 0 else {
                while let trailer = takeLine(&rest), !trailer.isEmpty {}
                return rest.isEmpty ? data : nil
            }
            guard rest.count >= size + 2 else { return nil }
            data += rest.prefix(size)
            rest = rest.dropFirst(size)
            guard let end = takeLine(&rest), end.isEmpty else { return nil }
        }
        return nil
    }

    private static func takeLine(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: 13), rest.indices.contains(end + 1), rest[end + 1] == 10 else {
            return nil
        }
        defer { rest = rest[(end + 2)...] }
        return rest[rest.startIndex..<end]
    }
}
