import CLibevent

/// What a watch reports about its descriptor.
package struct EventKinds: OptionSet, Sendable {
    package let rawValue: Int16
    package init(rawValue: Int16) { self.rawValue = rawValue }

    /// Either, both or none; for each answered request, as set operations from another module cost hundreds of instructions.
    package init(writable: Bool, closed: Bool) {
        rawValue = (writable ? Int16(EV_WRITE) : 0) | (closed ? Int16(EV_CLOSED) : 0)
    }

    /// There are bytes to read, or the peer has closed its side.
    package static let readable = EventKinds(rawValue: Int16(EV_READ))
    /// The descriptor takes bytes again.
    package static let writable = EventKinds(rawValue: Int16(EV_WRITE))
    /// The peer has closed, told without reading (epoll's RDHUP).
    package static let closed = EventKinds(rawValue: Int16(EV_CLOSED))
    /// The watch's own time limit has passed.
    package static let timedOut = EventKinds(rawValue: Int16(EV_TIMEOUT))
}

/// One descriptor watched on one loop, or a timer when it has no descriptor.
///
/// Made by `EventLoop.watch` and `EventLoop.schedule`; stops when cancelled or released. Only the loop's own thread may
/// touch it (or any thread before the loop runs).
package final class EventWatch {
    private var event: OpaquePointer?
    private let body: (EventKinds) -> Void
    private let once: Bool

    init(
        base: OpaquePointer, descriptor: Int32, kinds: EventKinds, once: Bool = false,
        _ body: @escaping (EventKinds) -> Void
    ) throws(EventLoopError) {
        self.body = body
        self.once = once
        let flags = once ? kinds.rawValue : kinds.rawValue | Int16(EV_PERSIST)
        event = event_new(
            base, descriptor, flags,
            { _, what, context in
                guard let context else { return }
                // Held during the call: the body may drop the last reference to its own watch.
                let watch = Unmanaged<EventWatch>.fromOpaque(context).takeUnretainedValue()
                withExtendedLifetime(watch) { watch.body(EventKinds(rawValue: what)) }
            }, Unmanaged.passUnretained(self).toOpaque())
        guard event != nil else { throw .cannotWatch(descriptor: descriptor) }
    }

    deinit { cancel() }

    /// Whether it still can fire.
    package var isCancelled: Bool { event == nil }

    /// Starts to report, or goes on after `pause`.
    ///
    /// With `limit`, a silence of that length is told as `timedOut`.
    package func resume(limit: Duration? = nil) {
        guard let event else { return }
        guard let limit else {
            event_add(event, nil)
            return
        }
        var time = timeval(limit)
        event_add(event, &time)
    }

    /// Reports nothing until `resume`.
    package func pause() {
        guard let event else { return }
        event_del(event)
    }

    /// Ends it for good.
    ///
    /// Idempotent; the descriptor stays open, it is the owner's.
    package func cancel() {
        guard let event else { return }
        event_free(event)
        self.event = nil
    }
}

extension timeval {
    /// The same length in whole microseconds, rounded up, so that a timer never fires early; never
    /// negative.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = max(duration, .zero).components
        let microseconds = (attoseconds + 999_999_999_999) / 1_000_000_000_000
        self.init(
            tv_sec: Int(seconds) + Int(microseconds / 1_000_000), tv_usec: Int(microseconds % 1_000_000))
    }
}
