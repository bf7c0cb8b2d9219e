internal import CDashboard
import CacheLayer
import Foundation

/// The page for people: what is in the program, around what is written for each answer.
///
/// Style and script stand in the page itself: one answer, of one version, and a policy that names both by their digests.
/// Immutable, safe from any thread; put together once, at its first use.
struct DashboardDocument: Sendable {
    /// The pieces between what is filled in: before the word on tokens, before the plain form, after it.
    private let pieces: [[UInt8]]
    /// `Content-Security-Policy`.
    ///
    /// Nothing from elsewhere, nothing that an attribute or a text could bring in, and no text ever taken for markup.
    let policy: String
    /// Of all that the page is made of, but for what is filled in.
    private let digest: [UInt8]

    static let shipped = DashboardDocument(
        page: Array(
            UnsafeBufferPointer(start: fxgw_dashboard_page_start(), count: fxgw_dashboard_page_length)),
        style: Array(
            UnsafeBufferPointer(start: fxgw_dashboard_style_start(), count: fxgw_dashboard_style_length)),
        script: Array(
            UnsafeBufferPointer(start: fxgw_dashboard_script_start(), count: fxgw_dashboard_script_length)))

    /// `page` has `{{token}}`, `{{style}}`, `{{plain}}` and `{{script}}`, each once and in that order.
    init(page: [UInt8], style: [UInt8], script: [UInt8]) {
        var rest = page[...]
        var parts: [[UInt8]] = []
        for name in ["token", "style", "plain", "script"] {
            guard let place = rest.firstRange(of: Array("{{\(name)}}".utf8)) else {
                preconditionFailure("the page has no place for its \(name)")
            }
            parts.append(Array(rest[..<place.lowerBound]))
            rest = rest[place.upperBound...]
        }
        pieces = [parts[0], parts[1] + style + parts[2], parts[3] + script + Array(rest)]
        policy =
            "default-src 'none'; script-src '\(Self.digest(script))'; style-src '\(Self.digest(style))'; "
            + "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
            + "require-trusted-types-for 'script'; trusted-types 'none'"
        digest = ContentDigest(of: page + style + script).bytes
    }

    /// How large the page is without what is filled in.
    var length: Int { pieces.reduce(0) { $0 + $1.count } }

    /// The page with the plain form in it, and its strong validator with its quotes.
    func filled(needsToken: Bool, plain: [UInt8]) -> (body: [UInt8], etag: [UInt8]) {
        let word = Array((needsToken ? "needed" : "none").utf8)
        let etag = EntityTag.strong(of: digest + word + plain)
        return (pieces[0] + word + pieces[1] + plain + pieces[2], etag)
    }

    /// As a policy names a text (CSP 3, section 2.3.1).
    private static func digest(_ text: [UInt8]) -> String {
        "sha256-" + Data(ContentDigest(of: text).bytes).base64EncodedString()
    }
}
