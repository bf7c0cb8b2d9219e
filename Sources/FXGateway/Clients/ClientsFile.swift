import CacheLayer

/// The file that says who may ask: one entry for each client, with what its tokens hash to, never a token.
///
/// ```json
/// {"clients": [
///   {"name": "reports", "token_sha256": "<64 hexadecimal digits>"},
///   {"name": "shop", "token_sha256": ["<old>", "<new>"], "per_minute": 600,
///    "max_data_age": "2d", "sources": ["ecb_daily"], "on_stale": "reject"}
/// ]}
/// ```
enum ClientsFile {
    /// Longer files aren't read.
    static let longest = 256 << 10
    /// More clients than this are refused: as many as can be told apart in metrics.
    static let mostClients = ClientNames.limit
    /// Tokens of one client: two while one takes the other's place, and room for a mishap.
    static let mostTokens = 4
    /// Problems that are told at once; what is beyond them is a number.
    static let mostProblems = 100

    /// Why a file can't be used: one sentence for each problem, with line or entry.
    ///
    /// No sentence holds a token, a digest or anything else of the file but good names.
    struct Refusal: Error, Equatable {
        let problems: [String]
    }

    /// Reads a file's bytes.
    ///
    /// - Throws: every problem at once.
    static func parse(_ bytes: [UInt8]) throws(Refusal) -> [ClientEntry] {
        guard bytes.count <= longest else {
            throw Refusal(problems: ["is longer than \(longest >> 10) KiB"])
        }
        let tree: JSONTree
        do throws(JSONFault) {
            tree = try JSONTree.parse(bytes, depth: 8)
        } catch {
            throw Refusal(problems: [sentence(on: error, in: bytes)])
        }
        guard let members = tree.members, members.count == 1, let clients = tree["clients"]?.elements else {
            throw Refusal(problems: ["must be one object with nothing but a list \"clients\" in it"])
        }
        guard clients.count <= mostClients else {
            throw Refusal(problems: ["has \(clients.count) clients, more than \(mostClients)"])
        }
        var reader = ClientsFileReader()
        for client in clients { reader.read(client) }
        guard reader.problems.isEmpty else {
            let rest = reader.problems.count - mostProblems
            throw Refusal(
                problems: reader.problems.prefix(mostProblems)
                    + (rest > 0 ? ["has \(rest) problems more"] : []))
        }
        return reader.entries
    }

    private static func sentence(on fault: JSONFault, in bytes: [UInt8]) -> String {
        switch fault {
        case .malformed:
            JSONTree.faultLine(in: bytes).map { "isn't JSON from line \($0) on" }
                ?? "isn't strict JSON: a number, a word or a text in it is misspelled"
        case .tooDeep: "has lists in lists in lists: none is needed"
        case .duplicateNames: "has an object that names a member twice"
        }
    }
}
