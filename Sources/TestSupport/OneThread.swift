import Dispatch
import EventLoop
import Foundation

/// Runs asynchronous code on one thread, in the order in which it becomes ready.
///
/// On the pool's threads a test can't know when all that it has woken has come to rest; here it can: `rest` returns then.
/// Covers all tasks and actors that are started and resumed from within `run`; what another thread resumes goes on in the
/// pool. The runtime's hook is there for this: `swift_task_enqueueGlobal_hook` (Swift's ABI/Task.h). Safe from any thread.
package final class OneThread: TaskExecutor, Sendable {
    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

    private static let shared = OneThread()
    private static let mark = DispatchSpecificKey<Bool>()
    /// So many jobs in a row without rest are a loop that never sleeps.
    private static let mostTurns = 1_000_000

    private let queue = DispatchQueue(label: "one thread")
    /// Jobs that are ready and haven't run yet.
    private let ready = Locked(0)

    private init() {
        queue.setSpecific(key: Self.mark, value: true)
        guard let hook = dlsym(nil, "swift_task_enqueueGlobal_hook") else {
            fatalError("this Swift runtime has no hook for what becomes ready")
        }
        hook.assumingMemoryBound(to: Hook?.self).pointee = { job, enqueue in
            if OneThread.isHere { OneThread.shared.add(job) } else { enqueue(job) }
        }
    }

    private static var isHere: Bool { DispatchQueue.getSpecific(key: mark) == true }

    /// What `body` returns or throws, run on the one thread.
    package static func run<T>(_ body: () async throws -> T) async rethrows -> T {
        try await withTaskExecutorPreference(shared) {
            // The preference counts from the next suspension on.
            await Task.yield()
            return try await body()
        }
    }

    /// Returns when all that has been woken on this thread waits for something else.
    package static func rest() async {
        precondition(isHere, "only code within `run` can tell when it comes to rest")
        await withCheckedContinuation { continuation in shared.resume(continuation, after: 0) }
    }

    private func resume(_ continuation: CheckedContinuation<Void, Never>, after turns: Int) {
        precondition(turns < Self.mostTurns, "never comes to rest")
        queue.async {
            if self.ready.withLock({ $0 }) == 0 {
                continuation.resume()
            } else {
                self.resume(continuation, after: turns + 1)
            }
        }
    }

    private func add(_ job: UnownedJob) {
        ready.withLock { $0 += 1 }
        queue.async {
            self.ready.withLock { $0 -= 1 }
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job)) }
}
