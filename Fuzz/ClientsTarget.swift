import CacheLayer

@testable import FXGateway

/// The file that says who may ask.
enum ClientsTarget {
    static func run(_ bytes: [UInt8]) {
        do throws(ClientsFile.Refusal) {
            let clients = try ClientsFile.parse(bytes)
            for client in clients { claimIsGood(client) }
            claim(Set(clients.map(\.name)).count == clients.count, "two clients of one name")
            let tokens = clients.flatMap(\.tokens)
            claim(Set(tokens).count == tokens.count, "a token of two clients")
            claim((try? ClientsFile.parse(written(clients))) == clients, "another list is read back")
        } catch {
            claim(!error.problems.isEmpty, "refused without a reason")
            claim(error.problems.count <= ClientsFile.mostProblems + 1, "\(error.problems.count) problems")
            for problem in error.problems {
                claimIsFit(problem, atMost: 300)
                claim(!holdsDigest(problem), "a digest is shown: \(problem)")
            }
        }
    }

    private static func claimIsGood(_ client: ClientEntry) {
        claim(ClientName.isGood(client.name.utf8), "the name \(client.name.debugDescription)")
        claim((1...ClientsFile.mostTokens).contains(client.tokens.count), "\(client.tokens.count) tokens")
        claim(client.wish.maxDataAge.map { $0 >= .zero } ?? true, "an age below zero")
    }

    private static func holdsDigest(_ text: String) -> Bool {
        var run = 0
        for byte in text.utf8 {
            let isDigit = (48...57).contains(byte) || (97...102).contains(byte | 32)
            run = isDigit ? run + 1 : 0
            if run >= 32 { return true }
        }
        return false
    }

    private static func hexadecimal(_ token: TokenDigest) -> String {
        token.withBytes { bytes in
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    private static func written(_ clients: [ClientEntry]) -> [UInt8] {
        let entries = clients.map { client in
            var members = [
                JSONTree.Member("name", .string(client.name)),
                .init("token_sha256", .array(client.tokens.map { .string(hexadecimal($0)) })),
            ]
            if let allowance = client.allowance {
                members.append(.init("per_minute", .number(String(allowance.perMinute))))
            }
            if let age = client.wish.maxDataAge {
                members.append(.init("max_data_age", .string(UnitText.text(age))))
            }
            if let sources = client.wish.sources {
                members.append(.init("sources", .array(sources.map { .string($0.name) })))
            }
            if let rejects = client.wish.rejectsStale {
                members.append(.init("on_stale", .string(rejects ? "reject" : "serve")))
            }
            return JSONTree.object(members)
        }
        return JSONTree.object([.init("clients", .array(entries))]).encoded
    }
}
