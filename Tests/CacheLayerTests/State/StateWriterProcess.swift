import Foundation
import Glibc
import Testing

@testable import CacheLayer

/// What `StateWriter` starts.
@Suite("State file: the writing process", .enabled(if: StateWriter.task != nil))
struct StateWriterProcess {
    private var file: StateFile {
        StateFile(
            directory: StateWriter.directory,
            name: StateSamples.identity.fileName)
    }

    @Test("writes until it is killed", .enabled(if: StateWriter.task == "loop"), .timeLimit(.minutes(3)))
    func loop() throws {
        let codec = StateCodec(identity: StateSamples.identity)
        let file = file
        var state = StateSamples.full
        for number in 0..<30 { state.snapshots.append(StateSamples.held("A\(number)X", notice: "x")) }
        let end = ContinuousClock.now + .seconds(30)
        while .now < end {
            state.floor = FencingToken(Int64.random(in: 1...1_000_000))
            try file.write(codec.encode(state))
        }
    }

    @Test("may write no file of more than 4 KiB", .enabled(if: StateWriter.task == "limited"))
    func limited() {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: 4_096, rlim_max: 4_096)
        #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
        let file = file
        let fault = StateSamples.fault { () throws(StateFileFault) in
            try file.write([UInt8](repeating: 1, count: 100_000))
        }
        #expect(fault == .full)
    }
}
