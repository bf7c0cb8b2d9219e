import Foundation
import TestSupport
import Testing

@Suite("Shipped files", .timeLimit(.minutes(4)))
struct ShippedFileTests {
    @Test("neither the Dockerfile nor the compose file holds a key, a token or a password")
    func noSecrets() throws {
        let compose = try ProjectFiles.files(in: "deploy/compose")
        #expect(compose.contains("deploy/compose/demo.env"))
        let others = ["Dockerfile", "docker-compose.yml", ".dockerignore", "deploy/haproxy/haproxy.cfg"]
        for path in others + compose {
            let text = try ProjectFiles.text(path)
            #expect(!text.contains("exr_"), "\(path)")
            // A name with a value; the name of a file is how it should be.
            let named = #/(?m)^[^#\n]*(KEY|TOKEN|PASSWORD)(?!_FILE\b)\w*\s*[=:]/#
            #expect(text.firstMatch(of: named) == nil, "\(path)")
        }
        let file = try ProjectFiles.text("docker-compose.yml")
        #expect(file.contains("EXCHANGERATE_API_KEY_FILE: /run/secrets/api-key\n"))
        #expect(file.contains("FXGW_REDIS_PASSWORD_FILE: /run/secrets/redis-password\n"))
    }

    @Test("the image is built with the packages that bootstrap installs for the build")
    func packages() throws {
        let bootstrap = try ProjectFiles.text("scripts/bootstrap")
        let list = try #require(bootstrap.firstMatch(of: #/build_packages=\(([^)]*)\)/#)).output.1
        let dockerfile = try ProjectFiles.text("Dockerfile")
        let installed = try #require(
            dockerfile.firstMatch(of: #/AS build\n(?:.*\n)*?.*--no-install-recommends \\\n([^&]*)/#)
        ).output.1.replacing("\\", with: " ")
        #expect(Set(list.split(separator: " ")) == Set(installed.split { $0.isWhitespace }))
    }

    @Test("what the image is built of is sent to its builder, and nothing else")
    func sent() throws {
        let dockerfile = try ProjectFiles.text("Dockerfile")
        let copied = dockerfile.matches(of: #/(?m)^COPY (?!--from)(\S+) /#).map { String($0.output.1) }
        let ignored = try ProjectFiles.text(".dockerignore").split(separator: "\n")
        let sent = ignored.filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) }
        #expect(copied.count >= 5)
        #expect(Set(copied) == Set(sent))
    }

    @Test("the pages that name a Redis user's rights name the same")
    func rights() throws {
        func rights(_ path: String) throws -> Set<Substring> {
            let text = try ProjectFiles.text(path)
            let block = try #require(text.firstMatch(of: #/ACL SETUSER gateway (?:.|\n)*?```/#)).output
            return Set(block.matches(of: #/\+[a-z|]+/#).map(\.output))
        }
        let cluster: Set<Substring> = ["+role", "+asking", "+cluster|slots", "+cluster|myid"]
        let listed = try rights("docs/redis-keys.md")
        #expect(listed.isSuperset(of: cluster) && listed.count > 20)
        #expect(try rights("docs/operations.md") == listed.subtracting(cluster))
    }

    @Test("every dependency that bootstrap installs has its line in the README")
    func reasons() throws {
        let rows = try ProjectFiles.section("## Dependencies", of: "README.md").joined(separator: "\n")
        let bootstrap = try ProjectFiles.text("scripts/bootstrap")
        for match in bootstrap.matches(of: #/(?m)^([a-z]+)_packages=\(([^)]*)\)/#) {
            for package in match.output.2.split(whereSeparator: \.isWhitespace) {
                #expect(rows.contains(package), "\(package)")
            }
        }
    }

    @Test(
        "every script tells its use at --help, and refuses what it doesn't know with 64", arguments: scripts)
    func script(_ path: String) async throws {
        let help = try await ShellCommand.run("\(path) --help")
        #expect(help.status == 0)
        #expect(help.text.hasPrefix("Usage: \(path) "))
        let wrong = try await ShellCommand.run("\(path) --no-such-thing")
        #expect(wrong.status == 64)
        #expect(wrong.text.contains("unknown argument '--no-such-thing'"))
    }

    static let scripts = (try? ProjectFiles.files(in: "scripts")) ?? []
}
