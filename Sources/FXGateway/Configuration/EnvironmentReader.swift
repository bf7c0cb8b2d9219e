import CacheLayer

/// Reads variables one by one and collects what is wrong with them, so that an operator sees all of it at once.
///
/// Reading never stops: a bad value gives its default, and the collected problems refuse the whole in the end.
struct EnvironmentReader {
    private let environment: [String: String]
    private let readFile: (String) -> [UInt8]?
    private let exposure: (String) -> FileExposure
    private(set) var problems: [String] = []
    private(set) var warnings: [String] = []

    /// `readFile` gives a file's bytes, or nil if it can't be read; `exposure` says who else may read or change it.
    init(
        environment: [String: String], readFile: @escaping (String) -> [UInt8]?,
        exposure: @escaping (String) -> FileExposure
    ) {
        self.environment = environment
        self.readFile = readFile
        self.exposure = exposure
        judgeStrangers()
    }

    mutating func refuse(_ name: ConfigurationName, _ sentence: String) {
        problems.append("\(name.rawValue) \(sentence)")
    }

    mutating func warn(_ name: ConfigurationName, _ sentence: String) {
        warnings.append("\(name.rawValue) \(sentence)")
    }

    /// The value as it stands; nil if it isn't set.
    func text(_ name: ConfigurationName) -> String? { environment[name.rawValue] }

    /// What `parse` makes of the value, or `standard` if it isn't set.
    ///
    /// A value that `parse` refuses is reported with the form that was expected.
    mutating func value<T>(
        _ name: ConfigurationName, _ standard: T, _ form: String, _ parse: (String) -> T?
    ) -> T {
        guard let text = text(name) else { return standard }
        if let value = parse(text) { return value }
        refuse(name, "must be \(form), not \(Self.shown(text))")
        return standard
    }

    /// What `parse` makes of the value; nil if it isn't set.
    mutating func optional<T>(_ name: ConfigurationName, _ form: String, _ parse: (String) -> T?) -> T? {
        value(name, nil, form) { text in parse(text).map { .some($0) } }
    }

    /// A whole number within `range`.
    mutating func count(_ name: ConfigurationName, _ standard: Int, _ range: ClosedRange<Int>) -> Int {
        value(name, standard, "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
            UnitText.count(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A length of time with its unit, within `range`.
    mutating func duration(
        _ name: ConfigurationName, _ standard: Duration, _ range: ClosedRange<Duration>
    ) -> Duration {
        let bounds = "\(UnitText.text(range.lowerBound)) to \(UnitText.text(range.upperBound))"
        return value(name, standard, "a time from \(bounds), with its unit (ms, s, m, h, d)") { text in
            UnitText.duration(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// `on` or `off`.
    mutating func flag(_ name: ConfigurationName, _ standard: Bool) -> Bool {
        value(name, standard, "on or off") { $0 == "on" ? true : $0 == "off" ? false : nil }
    }

    /// A secret given in a variable or in the file that another variable names; nil if neither is set.
    ///
    /// A trailing line end of the file is no part of it. Empty ones and both at once are problems.
    mutating func secret(_ name: ConfigurationName, orFile fileName: ConfigurationName) -> Secret? {
        let given = text(name)
        guard text(fileName) != nil else {
            guard let given else { return nil }
            return checked(given, name, "is empty: unset it")
        }
        if given != nil {
            refuse(name, "and \(fileName.rawValue) are both set: which one holds?")
        }
        return secretFile(fileName)
    }

    /// A secret in the file that a variable names; nil if the variable isn't set.
    mutating func secretFile(_ name: ConfigurationName) -> Secret? {
        guard let path = text(name) else { return nil }
        guard var bytes = readFile(path) else {
            refuse(name, "names a file that can't be read: \(Self.shown(path))")
            return nil
        }
        judgeExposure(name, path)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            refuse(name, "names a file that isn't text: \(Self.shown(path))")
            return nil
        }
        return checked(text, name, "names an empty file: \(Self.shown(path))")
    }

    /// The clients in the file that a variable names; nil if it isn't set or the file can't be used.
    mutating func clients(_ name: ConfigurationName) -> [ClientEntry]? {
        guard let path = text(name) else { return nil }
        guard let bytes = readFile(path) else {
            refuse(name, "names a file that can't be read: \(Self.shown(path))")
            return nil
        }
        judgeExposure(name, path)
        do throws(ClientsFile.Refusal) {
            return try ClientsFile.parse(bytes)
        } catch {
            for problem in error.problems { refuse(name, problem) }
            return nil
        }
    }

    /// A secret that everybody on the machine may read or change is no reason not to start, but one to be told of.
    private mutating func judgeExposure(_ name: ConfigurationName, _ path: String) {
        switch exposure(path) {
        case .none: break
        case .readable: warn(name, "names a file that every user may read: \(Self.shown(path))")
        case .writable: warn(name, "names a file that every user may change: \(Self.shown(path))")
        }
    }

    private mutating func checked(_ text: String, _ name: ConfigurationName, _ emptiness: String) -> Secret? {
        guard !text.isEmpty else {
            refuse(name, emptiness)
            return nil
        }
        // A key with a blank, quote or line end inside would be refused by upstream, or end a header line.
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != 0x22 }) else {
            refuse(name, "holds a blank, a quote or a control byte")
            return nil
        }
        return Secret(text)
    }

    private mutating func judgeStrangers() {
        for name in environment.keys.sorted() where ConfigurationName(rawValue: name) == nil {
            switch ConfigurationName.judge(name) {
            case .ignored: break
            case .misspelled(let near):
                problems.append("\(Self.shown(name)) isn't known: is \(near.rawValue) meant?")
            case .unknown: warnings.append("\(Self.shown(name)) isn't known and has no effect")
            }
        }
    }

    /// A value in a message: quoted, cut, and with everything escaped that isn't printable ASCII.
    private static func shown(_ text: String) -> String { SafeText.quoted(text) }
}
