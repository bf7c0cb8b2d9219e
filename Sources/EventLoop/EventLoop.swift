import CLibevent
import Glibc

/// One thread with one libevent base: descriptors, timers and a mailbox.
///
/// `post` may be called from any thread; everything else only on the loop's own thread, or before `start`. A body that
/// runs on the loop must not block: nothing else on this loop goes on meanwhile.
///
/// Sendable: `base` and the watches are touched by the loop's thread alone, the mailbox is a Mutex.
package final class EventLoop: @unchecked Sendable {
    /// Shown in thread lists; at most 15 bytes are kept by the kernel.
    package let name: String
    /// libevent's base, for libraries that bring their own adapter.
    ///
    /// Only for the loop's own thread.
    package let base: OpaquePointer

    private let wakeDescriptor: Int32
    private let mailbox = Locked(Mailbox())
    private var wakeWatch: EventWatch?
    private var thread: pthread_t?

    private struct Mailbox {
        var jobs: [@Sendable () -> Void] = []
        /// Set by the loop's end: nothing posted later would run.
        var isOver = false
        /// The thread that runs the loop, once it does.
        var runner: pthread_t?
    }

    package init(name: String) throws(EventLoopError) {
        guard let base = event_base_new() else { throw .noBase }
        let descriptor = fxgw_eventfd()
        guard descriptor >= 0 else {
            let code = errno
            event_base_free(base)
            throw .noWakeUp(errno: code)
        }
        self.name = name
        self.base = base
        wakeDescriptor = descriptor
        let watch = try EventWatch(base: base, descriptor: descriptor, kinds: .readable) { [unowned self] _ in
            fxgw_eventfd_drain(wakeDescriptor)
            runJobs()
        }
        watch.resume()
        wakeWatch = watch
    }

    deinit {
        wakeWatch?.cancel()
        event_base_free(base)
        close(wakeDescriptor)
    }

    /// Whether the caller is on this loop's thread.
    package var isCurrent: Bool {
        let runner = mailbox.withLock { $0.runner }
        guard let runner else { return false }
        return pthread_equal(runner, pthread_self()) != 0
    }

    /// Runs `job` on the loop's thread, after those posted before it.
    ///
    /// - Returns: false if the loop has ended; the job is dropped then.
    @discardableResult
    package func post(_ job: @escaping @Sendable () -> Void) -> Bool {
        let (isAccepted, wasEmpty) = mailbox.withLock { box in
            guard !box.isOver else { return (false, false) }
            box.jobs.append(job)
            return (true, box.jobs.count == 1)
        }
        if wasEmpty { fxgw_eventfd_wake(wakeDescriptor) }
        return isAccepted
    }

    /// Runs `body` on the loop's thread and returns what it gives; nil if the loop has ended.
    package func perform<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T? {
        await withCheckedContinuation { continuation in
            let isAccepted = post { continuation.resume(returning: body()) }
            if !isAccepted { continuation.resume(returning: nil) }
        }
    }

    /// Watches a descriptor; the watch begins with `resume`.
    package func watch(
        descriptor: Int32, _ kinds: EventKinds, _ body: @escaping (EventKinds) -> Void
    ) throws(EventLoopError) -> EventWatch {
        try EventWatch(base: base, descriptor: descriptor, kinds: kinds, body)
    }

    /// Runs `body` once after `delay`, unless the returned watch is cancelled or released before.
    package func schedule(after delay: Duration, _ body: @escaping () -> Void) throws(EventLoopError)
        -> EventWatch
    {
        let timer = try EventWatch(base: base, descriptor: -1, kinds: [], once: true) { _ in body() }
        timer.resume(limit: delay)
        return timer
    }

    /// Runs `body` every `interval` until the returned watch is cancelled or released.
    package func every(_ interval: Duration, _ body: @escaping () -> Void) throws(EventLoopError)
        -> EventWatch
    {
        let timer = try EventWatch(base: base, descriptor: -1, kinds: []) { _ in body() }
        timer.resume(limit: interval)
        return timer
    }

    /// Runs the loop on a thread of its own.
    ///
    /// `join` waits for its end.
    package func start() throws(EventLoopError) {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            throw .noThread(code: code)
        }
        self.thread = thread
    }

    /// Runs the loop on the calling thread until `stop`.
    package func run() {
        fxgw_name_thread(name)
        mailbox.withLock { $0.runner = pthread_self() }
        event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY)
        mailbox.withLock { box in
            box.isOver = true
            box.runner = nil
        }
        // What was posted between the break and the line above still runs: each job has its one turn.
        runJobs()
    }

    /// Ends the loop after the jobs posted so far.
    ///
    /// Safe from any thread, and to repeat.
    package func stop() {
        post { [unowned self] in _ = event_base_loopbreak(base) }
    }

    /// Waits until the thread begun by `start` has ended.
    ///
    /// Never from the loop itself.
    package func join() {
        guard let thread else { return }
        pthread_join(thread, nil)
        self.thread = nil
    }

    private func runJobs() {
        let jobs = mailbox.withLock { box in
            defer { box.jobs = [] }
            return box.jobs
        }
        for job in jobs { job() }
    }
}
