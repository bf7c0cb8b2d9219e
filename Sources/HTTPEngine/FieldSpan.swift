/// Where one header field lies within its head.
struct FieldSpan {
    var nameStart: UInt16 = 0
    var nameCount: UInt16 = 0
    var valueStart: UInt16 = 0
    var valueCount: UInt16 = 0
}
