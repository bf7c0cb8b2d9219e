/// The very state of a control, as far as a commit has to compare it.
struct ControlMark: Hashable, Sendable {
    let birth: String
    let version: String

    static let absent = ControlMark(birth: "", version: "")

    init(birth: String, version: String) { (self.birth, self.version) = (birth, version) }

    init(_ record: ControlRecord) { self.init(birth: record.birth, version: String(record.version)) }
}
