/// The shells for which there are completions.
enum ShellName: String, CaseIterable, Sendable {
    case bash, zsh, fish
}
