import Foundation

/// Host names as a real process resolves them, changed by a test while the process runs.
///
/// nss_wrapper stands between the process and the system's resolver. Safe from any thread. Its file goes when it is released.
package final class HostNames: Sendable {
    /// Where Debian's package `libnss-wrapper` has it; nil if it isn't installed.
    package static let library = ["x86_64", "aarch64"].map {
        "/usr/lib/\($0)-linux-gnu/libnss_wrapper.so"
    }.first { FileManager.default.fileExists(atPath: $0) }

    private let file = URL(fileURLWithPath: "/tmp/fxgw-hosts-\(UInt64.random(in: 0...UInt64.max))")

    /// Names with their addresses.
    package init(_ addresses: [String: String]) throws {
        guard Self.library != nil else { throw CocoaError(.fileNoSuchFile) }
        try set(addresses)
    }

    deinit { try? FileManager.default.removeItem(at: file) }

    /// From now on these names have these addresses, and all others none.
    package func set(_ addresses: [String: String]) throws {
        let lines = addresses.map { "\($0.value) \($0.key)\n" }.sorted()
        try Data(lines.joined().utf8).write(to: file, options: .atomic)
    }

    /// What a process has to be started with to resolve so.
    package var environment: [String: String] {
        ["LD_PRELOAD": Self.library ?? "", "NSS_WRAPPER_HOSTS": file.path]
    }
}
