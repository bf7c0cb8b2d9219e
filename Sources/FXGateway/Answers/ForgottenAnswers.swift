/// Rendered answers that nobody is given any more.
///
/// To free some thousands of them takes milliseconds, in which their loop would answer nobody: another thread does it.
///
/// Sendable: their loop has let go of them, and nobody reads them any more. Freeing touches reference counts alone, which
/// are atomic.
struct ForgottenAnswers: @unchecked Sendable {
    let caches: [AnswerCache]
    let aliases: [TargetAliases]

    /// Gives their memory back, a moment later: by then the loop's own references are gone, and the last one is the task's.
    ///
    /// Nobody waits for the task: it only drops what it holds.
    func free() {
        Task.detached(priority: .utility) {
            try? await Task.sleep(for: .milliseconds(100))
            withExtendedLifetime(self) {}
        }
    }
}
