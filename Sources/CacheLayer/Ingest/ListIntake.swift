/// The currencies of a list, taken in one by one.
struct ListIntake {
    let limits: IngestLimits
    private(set) var entries: [CurrencyList.Entry] = []
    private(set) var notes: IngestNotes
    /// The members of a map that were taken, as they were written.
    private(set) var names: Set<String> = []
    private var seen: Set<Currency> = []

    init(limits: IngestLimits, notes: IngestNotes) {
        self.limits = limits
        self.notes = notes
    }

    /// Whether a member of a bare map is a currency's: other members stand beside the codes, and describe nothing.
    static func describes(_ member: JSONTree.Member) -> Bool {
        Currency(member.name) != nil
            && (member.value["name"]?.string ?? member.value["decimals"]?.number) != nil
    }

    /// Makes sure that no member beside the currencies of a bare map has the code of one of them in other letters.
    ///
    /// - Throws: `duplicateNames`.
    func requireSingle(_ members: [JSONTree.Member]) throws(IngestError) {
        let isTwice = members.contains { member in
            !names.contains(member.name) && Currency(member.name).map(seen.contains) == true
        }
        if isTwice { throw .duplicateNames }
    }

    /// Takes an element of a list, which names its code itself.
    ///
    /// - Throws: `duplicateNames` for a currency that comes twice.
    mutating func take(_ element: JSONTree) throws(IngestError) {
        try take(element, code: element["code"]?.string)
    }

    /// Takes a member of a map, whose name is its code.
    ///
    /// - Throws: `duplicateNames` for a currency that comes twice.
    mutating func take(_ member: JSONTree.Member) throws(IngestError) {
        names.insert(member.name)
        try take(member.value, code: member.name)
    }

    private mutating func take(_ value: JSONTree, code text: String?) throws(IngestError) {
        guard let code = text.flatMap({ Currency($0) }),
            let (entry, hasOddField) = CurrencyList.Entry.read(value, code: code, limits: limits)
        else {
            notes.add(.invalidCode)
            return
        }
        guard seen.insert(code).inserted else { throw .duplicateNames }
        guard entries.count < limits.symbols else {
            notes.add(.tooManySymbols)
            return
        }
        if hasOddField { notes.add(.field) }
        entries.append(entry)
    }
}
