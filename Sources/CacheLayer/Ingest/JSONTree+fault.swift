import CJSON

extension JSONTree {
    /// The line at which a text stops being JSON, counted from one: for people who have to mend a file.
    ///
    /// Nil where only the letters of a token are wrong, which json-c lets through. The caller bounds the size.
    package static func faultLine(in bytes: [UInt8], depth: Int = 32) -> Int? {
        guard bytes.count < Int(Int32.max), let tokener = json_tokener_new_ex(Int32(depth + 1)) else {
            return nil
        }
        defer { json_tokener_free(tokener) }
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8)
        // With a blank at its end, as for the reader: a text that ends too early is one that goes on wrongly.
        let text = bytes + [UInt8(ascii: " "), 0]
        let root = text.withUnsafeBytes { buffer in
            json_tokener_parse_ex(
                tokener, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count))
        }
        defer { json_object_put(root) }
        guard json_tokener_get_error(tokener) != json_tokener_success else { return nil }
        let end = json_tokener_get_parse_end(tokener)
        return 1 + bytes.prefix(end).count { $0 == UInt8(ascii: "\n") }
    }
}
