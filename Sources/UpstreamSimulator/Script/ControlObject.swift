import Foundation

/// One object of a control body, read key by key; a key that nobody read is an error, so that a typo is seen.
struct ControlObject {
    private let name: String
    private var members: [String: Any]

    init(_ value: Any, name: String) throws(ControlError) {
        guard let members = value as? [String: Any] else { throw ControlError("\(name) must be an object") }
        self.name = name
        self.members = members
    }

    /// The top-level object of a body.
    init(body: [UInt8]) throws(ControlError) {
        try self.init(Self.parse(body), name: "the body")
    }

    static func parse(_ body: [UInt8]) throws(ControlError) -> Any {
        guard let value = try? JSONSerialization.jsonObject(with: Data(body), options: [.fragmentsAllowed])
        else { throw ControlError("the body is not JSON") }
        return value
    }

    /// The value under `key`, taken out; nil if the key is absent.
    mutating func take(_ key: String) -> Any? { members.removeValue(forKey: key) }

    mutating func text(_ key: String) throws(ControlError) -> String? {
        guard let value = take(key) else { return nil }
        guard let text = value as? String else { throw ControlError("\(key) must be a string") }
        return text
    }

    /// A whole number from 0 on.
    mutating func count(_ key: String) throws(ControlError) -> Int? {
        guard let number = try integer(key) else { return nil }
        guard number >= 0 else { throw ControlError("\(key) must not be negative") }
        return number
    }

    mutating func integer(_ key: String) throws(ControlError) -> Int? {
        guard let value = take(key) else { return nil }
        guard let number = value as? NSNumber, !Self.isBoolean(value), let whole = Int(exactly: number) else {
            throw ControlError("\(key) must be a whole number")
        }
        return whole
    }

    mutating func flag(_ key: String) throws(ControlError) -> Bool {
        guard let value = take(key) else { return false }
        guard Self.isBoolean(value), let flag = value as? Bool else {
            throw ControlError("\(key) must be true or false")
        }
        return flag
    }

    /// A map of names to strings or null.
    mutating func texts(_ key: String) throws(ControlError) -> [String: String?] {
        guard let value = take(key) else { return [:] }
        guard let map = value as? [String: Any] else { throw ControlError("\(key) must be an object") }
        var texts: [String: String?] = [:]
        for (name, value) in map { texts[name] = try Self.optionalText(value, key) }
        return texts
    }

    /// Throws if a key is left over.
    func finish() throws(ControlError) {
        guard let key = members.keys.sorted().first else { return }
        throw ControlError("\(name) has no member '\(key)'")
    }

    /// A string; nil for null.
    static func optionalText(_ value: Any, _ key: String) throws(ControlError) -> String? {
        if value is NSNull { return nil }
        guard let text = value as? String else { throw ControlError("\(key) must hold strings or null") }
        return text
    }

    private static func isBoolean(_ value: Any) -> Bool {
        guard let number = value as? NSNumber else { return false }
        return String(cString: number.objCType) == "c"
    }
}
