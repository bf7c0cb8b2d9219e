/// `fxgateway check-config`: reads the configuration as `serve` would, and shows it with its secrets masked.
enum CheckConfigCommand {
    /// Writes the effective configuration, warnings and problems.
    ///
    /// Starts nothing and calls nobody. `.configuration` if `serve` would refuse it, else `.success`.
    ///
    /// - Parameters:
    ///   - configuration: what reading the environment gave.
    ///   - output: lines, or one JSON object with `configuration`, `warnings`, `problems`.
    ///   - print: takes what belongs on standard output, without its line end.
    ///   - complain: takes what belongs on standard error.
    /// - Returns: how the process ends.
    static func run(
        _ configuration: Result<Configuration, ConfigurationError>, output: OutputForm,
        print: (String) -> Void,
        complain: (String) -> Void
    ) -> ExitCode {
        let (lines, warnings, problems): ([String], [String], [String]) =
            switch configuration {
            case .success(let configuration): (configuration.lines, configuration.warnings, [])
            case .failure(let error): ([], [], error.problems)
            }
        switch output {
        case .table:
            for line in lines { print(line) }
            for warning in warnings { complain("warning: \(warning)") }
            for problem in problems { complain("error: \(problem)") }
        case .json: print(document(lines, warnings, problems))
        }
        return problems.isEmpty ? .success : .configuration
    }

    private static func document(_ lines: [String], _ warnings: [String], _ problems: [String]) -> String {
        var json = JSONText(reserving: 2_048)
        json.beginObject()
        json.name("configuration")
        json.beginObject()
        for line in lines {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            json.name(String(parts[0]))
            json.string(parts.count == 2 ? String(parts[1]) : "")
        }
        json.endObject()
        for (name, sentences) in [("warnings", warnings), ("problems", problems)] {
            json.name(name)
            json.beginArray()
            for sentence in sentences { json.string(sentence) }
            json.endArray()
        }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
