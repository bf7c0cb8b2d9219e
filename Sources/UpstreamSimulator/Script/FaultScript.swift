/// The faults that wait for calls, in order.
struct FaultScript: Sendable {
    private(set) var faults: [Fault] = []

    mutating func replace(with faults: [Fault]) { self.faults = faults }

    mutating func append(_ more: [Fault]) { faults += more }

    mutating func clear() { faults = [] }

    /// The first fault that takes a call to `target`, one turn of it used up.
    mutating func take(for target: String) -> Fault? {
        guard
            let index = faults.firstIndex(where: { fault in
                fault.times != 0 && (fault.match.map { target.hasPrefix($0) } ?? true)
            })
        else { return nil }
        let fault = faults[index]
        if let times = fault.times {
            faults[index].times = times - 1
            if times <= 1 { faults.remove(at: index) }
        }
        return fault
    }
}
