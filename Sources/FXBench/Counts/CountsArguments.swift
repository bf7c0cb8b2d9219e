/// The arguments of `FXBench counts`.
struct CountsArguments {
    private(set) var counter = ""
    private(set) var stripped = ""
    private(set) var limits = ""
    private(set) var isSelfTest = false

    /// Nil where something is missing or can't be read.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            if name == "--self-test" {
                isSelfTest = true
                continue
            }
            guard let value = rest.popFirst() else { return nil }
            switch name {
            case "--counter": counter = value
            case "--stripped": stripped = value
            case "--limits": limits = value
            default: return nil
            }
        }
        guard !counter.isEmpty, !stripped.isEmpty, !limits.isEmpty else { return nil }
    }
}
