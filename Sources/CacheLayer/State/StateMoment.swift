import Glibc

/// One moment on the clocks that outlive a process: the wall's, and the one that runs since the machine began.
///
/// Written into the state file, so that its reader knows how old what it reads is, whatever has happened to the wall
/// clock in between.
package struct StateMoment: Hashable, Sendable {
    package let wall: UnixMilliseconds
    /// Since the machine began, suspended time included (`CLOCK_BOOTTIME`).
    package let sinceBoot: Duration
    /// Names this run of the machine; empty where the system doesn't tell.
    package let boot: String

    package init(wall: UnixMilliseconds, sinceBoot: Duration, boot: String) {
        self.wall = wall
        self.sinceBoot = sinceBoot
        self.boot = boot
    }

    /// How long ago `earlier` was; nil if that can't be known, because it lies in the future.
    ///
    /// In the same run of the machine by the clock that never steps. Across runs by the wall clock, which may be wrong
    /// then: a moment ahead of it proves that it is.
    package func elapsed(since earlier: StateMoment) -> Duration? {
        if !boot.isEmpty, boot == earlier.boot, sinceBoot >= earlier.sinceBoot {
            return sinceBoot - earlier.sinceBoot
        }
        let byWall = wall - earlier.wall
        return byWall < .zero ? nil : byWall
    }

    /// The present, by the system's clocks.
    package static var now: StateMoment {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return StateMoment(
            wall: .now, sinceBoot: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec), boot: bootName)
    }

    /// Read once: it doesn't change while this process lives.
    private static let bootName: String = {
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return "" }
        return String(decoding: bytes.prefix(count).prefix { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
    }()
}
