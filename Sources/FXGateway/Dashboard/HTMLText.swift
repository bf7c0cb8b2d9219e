/// HTML, written piece by piece into bytes: texts are escaped, so that none of them can be markup.
struct HTMLText {
    private(set) var bytes: [UInt8] = []

    /// Markup of our own.
    mutating func markup(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// A text from anywhere, for between tags or within a quoted attribute (HTML, section 13.3).
    mutating func text(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "'"): bytes.append(contentsOf: "&#39;".utf8)
            case 0..<0x20, 0x7F: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
    }

    /// A row of a table's body: the first cell heads it.
    mutating func row(_ cells: [String]) {
        markup("<tr>")
        for (place, cell) in cells.enumerated() {
            if place == 0 { markup("<th scope=\"row\">") } else { markup("<td>") }
            text(cell)
            if place == 0 { markup("</th>") } else { markup("</td>") }
        }
        markup("</tr>")
    }

    /// A term with its definition.
    mutating func pair(_ term: StaticString, _ definition: String) {
        markup("<dt>")
        markup(term)
        markup("</dt><dd>")
        text(definition)
        markup("</dd>")
    }
}
