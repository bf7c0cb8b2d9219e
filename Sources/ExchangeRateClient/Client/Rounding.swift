/// How a gateway rounds a conversion to the currency's smallest unit.
public enum Rounding: String, Sendable, Hashable, CaseIterable {
    /// To the nearest, a half to the even digit; the gateway's default.
    case halfEven = "half_even"
    /// To the nearest, a half away from zero.
    case halfUp = "half_up"
    /// Toward zero.
    case down
    /// Away from zero.
    case up
}
