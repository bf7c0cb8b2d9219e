/// An option of `simulate` as help, manual page and completions tell of it.
package struct SimulateOption: Sendable {
    package let name: String
    /// The word for its value; nil for a switch.
    package let value: String?
    package let summary: String
    /// The values that there are, where they can be counted; else empty.
    package let choices: [String]

    private init(_ name: String, _ value: String?, _ summary: String, choices: [String] = []) {
        self.name = name
        self.value = value
        self.summary = summary
        self.choices = choices
    }

    /// The option with the word for its value.
    package var usage: String { ([name] + (value.map { [$0] } ?? [])).joined(separator: " ") }

    /// All of them, in the order in which they are told.
    package static let all = [
        SimulateOption("--listen", "ADDRESS", "where to listen (127.0.0.1:9099); unix:/path works too"),
        SimulateOption(
            "--mode", "MODE", "ecb: daily fixes (default); live: rates that move; mixed: both",
            choices: ["ecb", "live", "mixed"]),
        SimulateOption("--clock", "TIME", "another now, as 2026-06-16T10:00:00Z; it runs on from there"),
        SimulateOption("--frozen", nil, "time moves only by POST /control/clock"),
        SimulateOption("--seed", "NUMBER", "names one series of live rates (1)"),
        SimulateOption("--live-interval", "TIME", "how often live rates move (60s)"),
        SimulateOption(
            "--monthly", "CALLS", "calls of a key per calendar month (10000); off for no limit"),
        SimulateOption("--per-minute", "CALLS", "calls of a key or anonymous address per minute (12)"),
        SimulateOption("--per-hour", "CALLS", "calls of an anonymous address per hour (100)"),
        SimulateOption(
            "--key", "KEY", "accept this key only; may be repeated (every one that begins with exr_live_)"),
        SimulateOption(
            "--shift", "WEEKS", "move the calendar by so many weeks (auto); 0 is the true calendar"),
        SimulateOption("--latency", "TIME", "wait before every answer (0ms)"),
        SimulateOption("--help", nil, "this text; also -h"),
    ]
}
