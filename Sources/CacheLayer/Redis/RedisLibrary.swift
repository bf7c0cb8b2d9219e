import CHiredis

/// The version of hiredis that this program was built with.
package enum RedisLibrary {
    /// 0 has no TLS.
    static let major = Int(fxgw_hiredis_major())
    static let minor = Int(fxgw_hiredis_minor())

    /// As on the page about Redis: `0.14`.
    package static var version: String { "\(major).\(minor)" }
}
