import Foundation
import TestSupport

/// Counts what requests cost: allocations and system calls in one gateway, instructions in another that runs in callgrind.
struct CountsRun {
    let counter: String
    let stripped: String
    let limits: CountLimits
    let upstream: String
    /// For logs and counts.
    let directory: String

    /// Rounds in which the gateway learns the targets and the buffers get their size.
    private static let warmUp = 2
    private static let rounds = 10
    /// The least of so many counts holds: what the gateway does once a second or a minute is none of the request's.
    private static let repetitions = 3

    /// What was found of one kind of request.
    struct Finding {
        var results: [CountResult] = []
        /// Allocated per request.
        var bytes = 0.0
        /// Of CPU time per request.
        var microseconds = 0.0
    }

    /// Counts in one process: allocations, system calls, writes.
    func calls(of request: CountedRequest, in gateway: CountedGateway) async throws -> Finding {
        let thread = try LoopThread(of: gateway.gateway.process.identifier, counts: gateway.counts)
        let load = try LockstepLoad(request, port: gateway.port)
        try load.run(rounds: Self.warmUp)
        let requests = Double(load.requests(in: Self.rounds))
        var finding = Finding()
        var least = (allocations: Int.max, bytes: Int.max, cpu: Int.max)
        for _ in 0..<Self.repetitions {
            let (before, cpu) = (try thread.allocations(), thread.cpu)
            try load.run(rounds: Self.rounds)
            let after = try thread.allocations()
            least.allocations = min(least.allocations, after.count - before.count)
            least.bytes = min(least.bytes, after.bytes - before.bytes)
            least.cpu = min(least.cpu, thread.cpu - cpu)
        }
        let trace = try await SyscallTrace.attached(to: thread, directory: directory)
        try load.run(rounds: Self.rounds)
        let calls = try await trace.end()
        let sends = calls["sendto", default: 0] + calls["write", default: 0] + calls["writev", default: 0]
        finding.bytes = Double(least.bytes) / requests
        finding.microseconds = Double(least.cpu) / 1_000 / requests
        finding.results = [
            result(request, .allocations, Double(least.allocations) / requests),
            result(request, .syscalls, Double(calls.values.reduce(0, +)) / requests),
            result(request, .writes, Double(sends) / Double(LockstepLoad.batches(in: Self.rounds))),
        ]
        return finding
    }

    /// Counts in a process that runs in callgrind: of two lengths, so that what is the same in both cancels out.
    func instructions(
        of request: CountedRequest, on port: UInt16, by counter: inout InstructionCounter
    ) async throws -> CountResult {
        let load = try LockstepLoad(request, port: port)
        try load.run(rounds: Self.warmUp)
        var lengths: [Int] = []
        _ = try await counter.take(directory: directory)
        for rounds in [Self.rounds / 2, Self.rounds] {
            try load.run(rounds: rounds)
            lengths.append(try await counter.take(directory: directory))
        }
        let requests = load.requests(in: Self.rounds - Self.rounds / 2)
        return result(request, .instructions, Double(lengths[1] - lengths[0]) / Double(requests))
    }

    /// Starts a gateway with the counter.
    func start(
        _ name: String, cost: CountedCost? = nil, isGuarded: Bool = false
    ) async throws -> CountedGateway {
        try await CountedGateway.start(
            name: name, preload: counter, cost: cost, isGuarded: isGuarded, upstream: upstream,
            directory: directory)
    }

    /// Starts a gateway in callgrind.
    func inCallgrind(
        name: String, cost: CountedCost? = nil, isGuarded: Bool = false
    ) async throws -> (gateway: CountedGateway, counter: InstructionCounter) {
        let files = "\(directory)/\(name).callgrind"
        let gateway = try await CountedGateway.start(
            name: name, program: InstructionCounter.program(stripped, files: files),
            preload: cost == nil ? nil : counter, cost: cost, isGuarded: isGuarded, upstream: upstream,
            directory: directory)
        let process = gateway.gateway.process.identifier
        return (gateway, InstructionCounter(process: process, files: files))
    }

    private func result(_ request: CountedRequest, _ count: Count, _ value: Double) -> CountResult {
        CountResult(request: request.name, count: count, value: value)
    }
}
