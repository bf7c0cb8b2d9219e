/// Whether and how often a client tries again by itself.
///
/// Tried again are failures that may pass: a lost or refused connection, a name without address, 429, 500, 502, 504, and 503
/// unless the gateway says that waiting won't help. Never any other status of 400 to 499, unless its code says one of these.
/// The waits grow, are spread by chance, and are never shorter than `Retry-After`; a longer one than `longestWait`, or than
/// what is left of the call's deadline, ends the call at once.
public struct RetryPolicy: Sendable, Hashable {
    /// The most further tries of one call; zero for none.
    public var attempts: Int
    /// The wait before the first further try where the answer names none; it doubles from try to try.
    public var firstWait: Duration
    /// The longest wait that a call sits out.
    public var longestWait: Duration
    /// How many further tries all calls of a client may make in a row; ten calls that went well earn one back.
    ///
    /// So a service that fails altogether gets a tenth more requests and not a multiple.
    public var budget: Int

    /// A policy of its own.
    ///
    /// - Parameters:
    ///   - attempts: zero or more.
    ///   - firstWait: above zero.
    ///   - longestWait: at least `firstWait`.
    ///   - budget: zero or more.
    public init(
        attempts: Int = 3, firstWait: Duration = .milliseconds(200), longestWait: Duration = .seconds(10),
        budget: Int = 10
    ) {
        precondition(attempts >= 0 && budget >= 0, "tries are counted from zero")
        precondition(firstWait > .zero && longestWait >= firstWait, "waits are above zero and grow")
        self.attempts = attempts
        self.firstWait = firstWait
        self.longestWait = longestWait
        self.budget = budget
    }

    /// Three further tries, within a budget of ten: for gateways, whose answers cost nothing.
    public static let standard = RetryPolicy()

    /// None at all: for upstream itself, where each try may be a call of the plan.
    public static let none = RetryPolicy(attempts: 0)
}
