import Foundation

extension Fault {
    /// The faults of a script body: a list, one object, or an object with a list under `faults`.
    static func list(body: [UInt8]) throws(ControlError) -> [Fault] {
        var value = try ControlObject.parse(body)
        if let object = value as? [String: Any], object.count == 1, let inner = object["faults"] {
            value = inner
        }
        var faults: [Fault] = []
        for entry in value as? [Any] ?? [value] { faults.append(try Fault(control: entry)) }
        return faults
    }

    /// One entry of a script as JSON.
    init(control value: Any) throws(ControlError) {
        var object = try ControlObject(value, name: "a fault")
        self.init(match: try object.text("match"))
        try readTimes(&object)
        status = try object.count("status")
        if let status, !(100...999).contains(status) { throw ControlError("status must have three digits") }
        headers = try Self.headers(object.take("headers"))
        body = try Self.bytes(&object, text: "body", base64: "bodyBase64")
        raw = try Self.bytes(&object, text: "raw", base64: "rawBase64")
        delay = .milliseconds(try object.count("delay") ?? 0)
        try readDrip(&object)
        truncate = try object.count("truncate")
        try readEnding(&object)
        redirect = try object.text("redirect")
        gzipBomb = try object.count("gzipBomb")
        if let gzipBomb, gzipBomb > GzipBomb.limit {
            throw ControlError("gzipBomb must be at most \(GzipBomb.limit)")
        }
        fillerFields = try object.count("fillerFields") ?? 0
        guard fillerFields <= 10_000 else { throw ControlError("fillerFields must be at most 10000") }
        echoesKey = try object.flag("echoKey")
        overrides.rates = try object.texts("rates")
        overrides.dataTime = try object.text("dataTime")
        overrides.source = try object.text("source")
        overrides.session = try object.text("session")
        overrides.fields = try object.texts("fields")
        try object.finish()
    }

    private mutating func readTimes(_ object: inout ControlObject) throws(ControlError) {
        guard let value = object.take("times") else { return }
        if let text = value as? String, text == "always" {
            times = nil
            return
        }
        guard let number = value as? NSNumber, let whole = Int(exactly: number), whole > 0 else {
            throw ControlError("times must be a number from 1 on, or \"always\"")
        }
        times = whole
    }

    private mutating func readDrip(_ object: inout ControlObject) throws(ControlError) {
        dripsHead = try object.flag("dripHead")
        guard let value = object.take("drip") else { return }
        var inner = try ControlObject(value, name: "drip")
        let (bytes, every) = (try inner.count("bytes") ?? 1, try inner.count("every") ?? 100)
        try inner.finish()
        guard bytes > 0, every > 0 else { throw ControlError("drip needs bytes and every (ms) above 0") }
        drip = Drip(bytes: bytes, every: .milliseconds(every))
    }

    private mutating func readEnding(_ object: inout ControlObject) throws(ControlError) {
        for ending in Ending.allCases where try object.flag(ending.rawValue) {
            guard self.ending == nil else { throw ControlError("only one of close, reset and hang") }
            self.ending = ending
        }
    }

    /// A map of names to values, or a list of pairs where names repeat; null leaves a field out.
    private static func headers(_ value: Any?) throws(ControlError) -> [(name: String, value: String?)] {
        guard let value else { return [] }
        var headers: [(name: String, value: String?)] = []
        if let map = value as? [String: Any] {
            for (name, value) in map.sorted(by: { $0.key < $1.key }) {
                headers.append((name, try ControlObject.optionalText(value, "headers")))
            }
            return headers
        }
        guard let list = value as? [Any] else {
            throw ControlError("headers must be a map or a list of pairs")
        }
        for entry in list {
            guard let pair = entry as? [Any], pair.count == 2, let name = pair[0] as? String else {
                throw ControlError("headers must hold pairs of name and value")
            }
            headers.append((name, try ControlObject.optionalText(pair[1], "headers")))
        }
        return headers
    }

    private static func bytes(
        _ object: inout ControlObject, text: String, base64: String
    ) throws(ControlError) -> [UInt8]? {
        let plain = try object.text(text)
        guard let encoded = try object.text(base64) else { return plain.map { Array($0.utf8) } }
        guard plain == nil, let data = Data(base64Encoded: encoded) else {
            throw ControlError("\(base64) must be Base64, and not together with \(text)")
        }
        return Array(data)
    }
}
