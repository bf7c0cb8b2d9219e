/// `fxgateway completions`: what a shell needs to complete the program's commands and options.
///
/// Made from the tables that the program itself reads its arguments by. `deploy/completions` has copies that a test
/// compares.
enum CompletionsCommand {
    /// Writes the script of a shell; `.usage` for one that isn't known.
    static func run(_ shell: String, print: (String) -> Void, complain: (String) -> Void) -> ExitCode {
        guard let shell = ShellName(rawValue: shell) else {
            complain(
                "fxgateway completions: \(SafeText.quoted(shell)) isn't \(CommandName.completions.operands)")
            return .usage
        }
        for line in lines(for: shell) { print(line) }
        return .success
    }

    static func lines(for shell: ShellName) -> [String] {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private static var names: String { CommandName.allCases.map(\.rawValue).joined(separator: " ") }

    // MARK: - bash

    private static var bash: [String] {
        var lines = [
            "# bash completion for fxgateway; made by: fxgateway completions bash",
            "_fxgateway() {",
            "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} words=",
            "    COMPREPLY=()",
            "    if [ \"$COMP_CWORD\" -eq 1 ]; then",
            "        mapfile -t COMPREPLY < <(compgen -W '\(names)' -- \"$cur\")",
            "        return",
            "    fi",
            "    # --name=value comes as three words.",
            "    if [ \"$cur\" = = ]; then",
            "        cur=",
            "    elif [ \"$prev\" = = ]; then",
            "        prev=${COMP_WORDS[COMP_CWORD - 2]}",
            "    fi",
            "    case ${COMP_WORDS[1]}:$prev in",
        ]
        for command in CommandName.allCases {
            for option in CompletedOption.all(of: command) where option.takesValue {
                let values =
                    option.isFile ? "compgen -f" : "compgen -W '\(option.choices.joined(separator: " "))'"
                lines.append("        \(command.rawValue):\(option.name))")
                lines.append("            mapfile -t COMPREPLY < <(\(values) -- \"$cur\")")
                lines.append("            return ;;")
            }
        }
        lines += ["    esac", "    case ${COMP_WORDS[1]} in"]
        for command in CommandName.allCases {
            let words = CompletedOption.all(of: command).map(\.name) + CompletedOption.operands(of: command)
            lines.append("        \(command.rawValue)) words='\(words.joined(separator: " "))' ;;")
        }
        return lines + [
            "    esac", "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")", "}",
            "complete -F _fxgateway fxgateway",
        ]
    }

    // MARK: - zsh

    private static var zsh: [String] {
        var lines = [
            "#compdef fxgateway", "# zsh completion for fxgateway; made by: fxgateway completions zsh",
            "_fxgateway() {", "    local -a commands", "    commands=(",
        ]
        lines += CommandName.allCases.map { "        '\($0.rawValue):\(quoted($0.summary, ":"))'" }
        lines += [
            "    )", "    if (( CURRENT == 2 )); then", "        _describe command commands",
            "        return",
            "    fi", "    local command=$words[2]", "    shift words", "    (( CURRENT-- ))",
            "    case $command in",
        ]
        for command in CommandName.allCases {
            lines.append("        \(command.rawValue))")
            let options = CompletedOption.all(of: command).map { option in
                let name = option.takesValue ? "\(option.name)=" : option.name
                return "'\(name)[\(quoted(option.summary, "[]:"))]\(zshValue(of: option))'"
            }
            let operands = CompletedOption.operands(of: command)
            let rest =
                operands.isEmpty ? [] : ["'1:\(command.rawValue):(\(operands.joined(separator: " ")))'"]
            lines.append("            _arguments \((options + rest).joined(separator: " ")) ;;")
        }
        return lines + ["    esac", "}", "_fxgateway \"$@\""]
    }

    private static func zshValue(of option: CompletedOption) -> String {
        guard option.takesValue else { return "" }
        if option.isFile { return ":file:_files" }
        return option.choices.isEmpty ? ":value: " : ":value:(\(option.choices.joined(separator: " ")))"
    }

    // MARK: - fish

    private static var fish: [String] {
        var lines = [
            "# fish completion for fxgateway; made by: fxgateway completions fish",
            "complete -c fxgateway -f",
        ]
        for command in CommandName.allCases {
            lines.append(
                "complete -c fxgateway -n __fish_use_subcommand -a \(command.rawValue) -d '\(quoted(command.summary, ""))'"
            )
            let seen = "'__fish_seen_subcommand_from \(command.rawValue)'"
            for option in CompletedOption.all(of: command) {
                var line = "complete -c fxgateway -n \(seen) -l \(option.name.dropFirst(2))"
                if option.isFile {
                    line += " -r -F"
                } else if option.takesValue {
                    line += " -x -a '\(option.choices.joined(separator: " "))'"
                }
                lines.append(line + " -d '\(quoted(option.summary, ""))'")
            }
            let operands = CompletedOption.operands(of: command)
            guard !operands.isEmpty else { continue }
            lines.append("complete -c fxgateway -n \(seen) -a '\(operands.joined(separator: " "))'")
        }
        return lines
    }

    /// Fit for single quotes, with the shell's own marks escaped.
    private static func quoted(_ text: String, _ marks: String) -> String {
        text.reduce(into: "") { result, character in
            if character == "'" {
                result += "’"
            } else {
                if marks.contains(character) { result += "\\" }
                result.append(character)
            }
        }
    }
}
