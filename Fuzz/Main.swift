import Glibc

/// The target of this process, by FXGW_TEST_FUZZ_TARGET: all of them are one program, so that it is built once.
private let target: FuzzTarget = {
    let name = getenv("FXGW_TEST_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        let names = FuzzTarget.all.map(\.name).joined(separator: " ")
        fatalError("FXGW_TEST_FUZZ_TARGET must be one of \(names), not '\(name)'")
    }
    return target
}()

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // A copy of exactly that length: the address sanitizer sees a read beyond it.
    target.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
