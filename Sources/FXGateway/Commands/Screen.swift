import Glibc

/// What a command's lines go to: how they are painted, and whether somebody watches it wait.
struct Screen: Sendable {
    let paint: Paint
    let patience: Patience

    /// A pipe or a file: no colours, no word while it waits.
    static let plain = Screen(paint: .off, patience: .silent)

    init(paint: Paint, patience: Patience) {
        self.paint = paint
        self.patience = patience
    }

    /// This process's own standard output and standard error.
    init(environment: [String: String], output: OutputForm) {
        paint = Paint(isTerminal: isatty(STDOUT_FILENO) == 1, environment: environment, output: output)
        let terminal = environment["TERM"] ?? ""
        patience =
            isatty(STDERR_FILENO) != 1
            ? .silent
            : terminal.isEmpty || terminal == Paint.terminalWithoutControls ? .once : .counting
    }
}
