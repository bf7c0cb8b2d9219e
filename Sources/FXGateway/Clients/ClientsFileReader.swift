import CacheLayer

/// Reads the clients of a file one by one and collects what is wrong with them.
struct ClientsFileReader {
    private(set) var entries: [ClientEntry] = []
    private(set) var problems: [String] = []
    private var count = 0
    private var names: [String: Int] = [:]
    private var tokens: [TokenDigest: Int] = [:]

    private static let members = [
        "name", "token_sha256", "per_minute", "max_data_age", "sources", "on_stale",
    ]
    /// What an empty token hashes to: the sum of a variable that wasn't set.
    private static let emptyToken = TokenDigest(of: UnsafeRawBufferPointer(start: nil, count: 0))

    /// Reads the next entry.
    mutating func read(_ tree: JSONTree) {
        count += 1
        guard let members = tree.members else {
            refuse("is not an object")
            return
        }
        let strangers = members.count { !Self.members.contains($0.name) }
        if strangers > 0 {
            // Not named: a token may have slipped into a name's place.
            refuse(
                "has \(strangers) member\(strangers == 1 ? "" : "s") beside \(Self.members.joined(separator: ", "))"
            )
        }
        let before = problems.count
        let name = name(tree["name"])
        let digests = digests(tree["token_sha256"], name: name)
        let allowance = allowance(tree["per_minute"])
        let wish = wish(tree)
        guard let name, problems.count == before, strangers == 0 else { return }
        entries.append(ClientEntry(name: name, tokens: digests, allowance: allowance, wish: wish))
    }

    private mutating func refuse(_ sentence: String) { problems.append("entry \(count): \(sentence)") }

    private mutating func name(_ tree: JSONTree?) -> String? {
        guard let name = tree?.string, ClientName.isGood(name.utf8) else {
            refuse("name must be 1 to \(ClientName.longest) letters, digits, '.', '_' or '-'")
            return nil
        }
        if let first = names[name] {
            refuse("name is that of entry \(first)")
            return nil
        }
        names[name] = count
        return name
    }

    private mutating func digests(_ tree: JSONTree?, name: String?) -> [TokenDigest] {
        let texts = tree?.elements ?? tree.map { [$0] } ?? []
        guard (1...ClientsFile.mostTokens).contains(texts.count) else {
            refuse("token_sha256 must be one digest or a list of 1 to \(ClientsFile.mostTokens)")
            return []
        }
        var digests: [TokenDigest] = []
        for text in texts {
            guard let digest = text.string.flatMap({ TokenDigest(hexadecimal: $0) }) else {
                refuse("token_sha256 must be 64 hexadecimal digits: the SHA-256 of the token")
                continue
            }
            if digest == Self.emptyToken {
                refuse("token_sha256 is that of an empty text")
            } else if let first = tokens[digest] {
                refuse("token_sha256 is \(first == count ? "there twice" : "that of entry \(first)")")
            } else if let name, Array(name.utf8).withUnsafeBytes({ TokenDigest(of: $0) }) == digest {
                refuse("name is the token itself")
            } else {
                tokens[digest] = count
                digests.append(digest)
            }
        }
        return digests
    }

    private mutating func allowance(_ tree: JSONTree?) -> Allowance? {
        guard let tree else { return nil }
        guard let number = tree.number.flatMap(UnitText.count), Allowance.range.contains(number) else {
            let range = Allowance.range
            refuse("per_minute must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return Allowance(perMinute: number)
    }

    private mutating func wish(_ tree: JSONTree) -> FreshnessWish {
        var wish = FreshnessWish.any
        if let age = tree["max_data_age"] {
            wish.maxDataAge = age.string.flatMap(UnitText.duration)
            if wish.maxDataAge == nil { refuse("max_data_age must be a time with its unit, such as \"2d\"") }
        }
        if let list = tree["sources"] {
            let names = list.elements?.map(\.string)
            let texts = names?.compactMap { $0 } ?? []
            wish.sources = texts.count == names?.count ? FreshnessWish.sources(named: texts) : nil
            if wish.sources == nil { refuse("sources must be a list of classes, such as [\"ecb_daily\"]") }
        }
        if let word = tree["on_stale"] {
            wish.rejectsStale = word.string.flatMap(FreshnessWish.rejectsStale)
            if wish.rejectsStale == nil { refuse("on_stale must be \"serve\" or \"reject\"") }
        }
        return wish
    }
}
