@testable import CacheLayer
@testable import FXGateway

/// The environment: `NAME=value` lines; what stands behind a byte of 0xFF is in every file that a variable names.
enum ConfigurationTarget {
    /// Stands for whatever may not be shown.
    private static let secret = "s3cr3t-0f-th3-f1l3"

    static func run(_ bytes: [UInt8]) {
        let parts = Parts.split(bytes, most: 2)
        var environment: [String: String] = [:]
        for line in Parts.text(parts[0]).split(separator: "\n") {
            guard let mark = line.firstIndex(of: "=") else { continue }
            environment[name(line[..<mark])] = String(line[line.index(after: mark)...])
        }
        read(environment, parts.at(1) ?? [])
        readSecrets(environment)
        for value in environment.values { url(value) }
    }

    /// The variable's name; a number stands for one of ours, so that few bytes are enough for it.
    private static func name(_ text: Substring) -> String {
        guard let number = Int(text), ConfigurationName.allCases.indices.contains(number) else {
            return String(text)
        }
        return ConfigurationName.allCases[number].rawValue
    }

    private static func read(_ environment: [String: String], _ file: [UInt8]) {
        do throws(ConfigurationError) {
            let configuration = try Configuration(environment: environment, cores: 2) { _ in file }
            for warning in configuration.warnings { claimIsFit(warning, atMost: 1_000) }
            // Written down and read again, it is the same.
            let lines = configuration.lines
            var again: [String: String] = [:]
            for line in lines {
                guard let mark = line.firstIndex(of: "=") else { fatalError("no value in \(line)") }
                again[String(line[..<mark])] = String(line[line.index(after: mark)...])
            }
            let second: Configuration
            do throws(ConfigurationError) {
                second = try Configuration(environment: again, cores: 2) { _ in file }
            } catch {
                fatalError("what was written down is refused: \(error)")
            }
            claim(second.lines == lines, "\(lines) read again are \(second.lines)")
        } catch {
            claim(!error.problems.isEmpty, "refused without a reason")
            for problem in error.problems {
                claimIsFit(problem, atMost: 1_000)
                let name = problem.prefix { $0 != " " }
                // Its own name, or a stranger's in quotes.
                let isNamed = ConfigurationName(rawValue: String(name)) != nil || problem.hasPrefix("'")
                claim(isNamed, "'\(problem)' names no variable")
            }
        }
    }

    /// No message and no line shows what a secret's variable or file holds.
    private static func readSecrets(_ environment: [String: String]) {
        var environment = environment
        environment["EXCHANGERATE_API_KEY"] = secret
        environment["FXGW_ADMIN_TOKEN"] = secret
        environment["FXGW_REDIS_URL"] = "redis://u:\(secret)@h"
        environment["EXCHANGERATE_API_KEY_FILE"] = nil
        environment["FXGW_ADMIN_TOKEN_FILE"] = nil
        let said: [String]
        do throws(ConfigurationError) {
            let configuration = try Configuration(environment: environment, cores: 2) { _ in
                Array(secret.utf8)
            }
            said = configuration.lines + configuration.warnings
        } catch {
            said = error.problems
        }
        claim(!said.contains { $0.contains(secret) }, "a secret is shown: \(said)")
    }

    /// A URL of Redis: nothing made of it shows its password, and what is read is read back.
    private static func url(_ text: String) {
        do throws(RedisURLError) {
            let endpoint = try RedisEndpoint(url: text, password: secret)
            let shown = "\(endpoint) \(String(reflecting: endpoint)) \(endpoint.address)"
            claim(!shown.contains(secret), "the password is shown: \(shown)")
            if case .server(let node) = endpoint.place {
                claim((1...65_535).contains(node.port) && !node.host.isEmpty, "the node \(node)")
                let again = try? RedisEndpoint(url: "redis://\(node)")
                claim(again?.place == endpoint.place, "\(node) isn't read back")
            }
        } catch {
            claimIsFit("\(error)", atMost: 200)
        }
        if let upstream = try? UpstreamAddress(text) {
            // A number with a sign is no port; a path may hold one.
            let authority = text.split(separator: "://", maxSplits: 1).last?.prefix { $0 != "/" } ?? ""
            claim(!authority.isEmpty && !authority.contains("+"), "\(text) is taken for \(upstream)")
            claim((try? UpstreamAddress("\(upstream)")) == upstream, "\(upstream) isn't read back")
        }
    }
}
