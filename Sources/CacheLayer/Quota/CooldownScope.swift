/// What a pause of upstream calls is about; each scope has its own record in the control.
package enum CooldownScope: String, Hashable, Sendable, CaseIterable {
    /// A 429 (or a 503 with a wait): as long as told, between one second and one hour.
    case short
    /// The month's quota is used up, by upstream's own word.
    case month
    /// Upstream refuses the key.
    case key
}
