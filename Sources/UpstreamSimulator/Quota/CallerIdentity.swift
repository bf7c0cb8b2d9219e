/// Whose calls are counted together.
enum CallerIdentity: Hashable, Sendable {
    case key(String)
    case address(String)
}
