/// What the preloaded counter adds to each answer, so that a guard can be seen to fail.
enum CountedCost: String, CaseIterable {
    case allocation, syscall, write, instructions

    /// The word for several of it.
    var named: String {
        switch self {
        case .allocation: "allocations"
        case .syscall: "system calls"
        case .write: "writes"
        case .instructions: "instructions"
        }
    }

    /// The counts that must be found too high.
    var raised: Set<Count> {
        switch self {
        case .allocation: [.allocations]
        case .syscall: [.syscalls]
        // Each write is a system call.
        case .write: [.writes, .syscalls]
        case .instructions: [.instructions]
        }
    }
}
