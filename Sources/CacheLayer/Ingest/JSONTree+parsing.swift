import CJSON

extension JSONTree {
    /// Reads one JSON document that fills the whole input.
    ///
    /// The caller bounds the size; memory stays within a small multiple of it. RFC 8259 to the letter, plus
    /// the rules of RFC 7493 (I-JSON) on UTF-8, surrogates and unique names. At most `depth` (1 to 256)
    /// arrays and objects may be inside each other. Throws `malformed`, `tooDeep` or `duplicateNames`. Safe
    /// from any thread.
    package static func parse(_ bytes: [UInt8], depth: Int = 32) throws(JSONFault) -> JSONTree {
        precondition((1...256).contains(depth), "the tree is built by recursion: its depth is small")
        let scan = try JSONScan(bytes, depth: depth)
        // json-c counts a number in an innermost array as a level, but not that array when it is empty: the
        // scan counts, json-c's own limit stands behind it.
        guard scan.outline.count < Int(Int32.max), let tokener = json_tokener_new_ex(Int32(depth + 1)) else {
            throw .malformed
        }
        defer { json_tokener_free(tokener) }
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8)
        let root = scan.outline.withUnsafeBytes { buffer in
            json_tokener_parse_ex(
                tokener, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count))
        }
        defer { json_object_put(root) }
        switch json_tokener_get_error(tokener) {
        case json_tokener_success: break
        case json_tokener_error_depth: throw .tooDeep
        default: throw .malformed
        }
        guard json_tokener_get_parse_end(tokener) == scan.outline.count else { throw .malformed }
        var memberCount = 0
        let tree = try JSONTree(root, numbers: scan.numbers, memberCount: &memberCount)
        guard memberCount == scan.memberCount else { throw .duplicateNames }
        return tree
    }

    /// Copies json-c's tree, with the numbers put back; as deep as json-c let it be.
    private init(_ object: OpaquePointer?, numbers: [String], memberCount: inout Int) throws(JSONFault) {
        switch json_object_get_type(object) {
        case json_type_null: self = .null
        case json_type_boolean: self = .bool(json_object_get_boolean(object) != 0)
        case json_type_int:
            let place = Int(json_object_get_int64(object))
            guard numbers.indices.contains(place) else { throw .malformed }
            self = .number(numbers[place])
        case json_type_string: self = .string(Self.text(of: object))
        case json_type_array:
            var elements: [JSONTree] = []
            for place in 0..<json_object_array_length(object) {
                let element = json_object_array_get_idx(object, place)
                elements.append(try JSONTree(element, numbers: numbers, memberCount: &memberCount))
            }
            self = .array(elements)
        case json_type_object:
            var members: [Member] = []
            var iterator = json_object_iter_begin(object)
            var end = json_object_iter_end(object)
            while json_object_iter_equal(&iterator, &end) == 0 {
                let name = String(cString: json_object_iter_peek_name(&iterator))
                let value = json_object_iter_peek_value(&iterator)
                members.append(
                    Member(name, try JSONTree(value, numbers: numbers, memberCount: &memberCount)))
                json_object_iter_next(&iterator)
            }
            memberCount += members.count
            self = .object(members)
        default: throw .malformed
        }
    }

    private static func text(of object: OpaquePointer?) -> String {
        guard let start = json_object_get_string(object) else { return "" }
        let count = Int(json_object_get_string_len(object))
        return String(
            decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
