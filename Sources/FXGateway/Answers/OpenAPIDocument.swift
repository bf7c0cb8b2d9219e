internal import COpenAPI

/// The description of the HTTP interface (OpenAPI 3.1): `docs/openapi.json` as it was when this was built.
///
/// Immutable, safe from any thread; copied and hashed once, at its first use.
struct OpenAPIDocument: Sendable {
    let body: [UInt8]
    /// The strong validator with its quotes.
    let etag: [UInt8]

    /// Says the same to everybody, with or without a token, so any cache may keep it; for an hour, since an instance of
    /// another version may answer next.
    static let cacheControl: StaticString = "public, max-age=3600"

    static let shipped = OpenAPIDocument(
        body: Array(UnsafeBufferPointer(start: fxgw_openapi_start(), count: fxgw_openapi_length)))

    init(body: [UInt8]) {
        self.body = body
        etag = EntityTag.strong(of: body)
    }
}
