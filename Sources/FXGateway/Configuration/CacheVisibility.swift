/// Who may keep an answer: the client alone, or shared caches too (RFC 9111 sections 5.2.2.7 and 5.2.2.9).
enum CacheVisibility: String, Sendable {
    case `private`
    case `public`
}
