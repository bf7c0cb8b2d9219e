/// The version of this build.
enum GatewayVersion {
    /// By the rules of semantic versioning.
    static let text = "0.1.0"
}
