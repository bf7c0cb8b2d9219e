import Foundation

/// A library that a process is started with so that its wall clock is off, and nothing else of its time.
///
/// Steady clocks, and with them all waits, go on as they are. (libfaketime would do, but a Swift program started with it finds
/// no arguments.)
struct ChaosClock {
    private let library: String

    private static let source = """
        #include <stdlib.h>
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>
        static long offset(void) {
            const char *text = getenv("FXCLOCK_SECONDS");
            return text ? atol(text) : 0;
        }
        int clock_gettime(clockid_t clock, struct timespec *now) {
            int code = (int)syscall(SYS_clock_gettime, clock, now);
            if (code == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += offset();
            return code;
        }
        int gettimeofday(struct timeval *restrict now, void *restrict zone) {
            int code = (int)syscall(SYS_gettimeofday, now, zone);
            if (code == 0) now->tv_sec += offset();
            return code;
        }
        time_t time(time_t *out) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            if (out) *out = now.tv_sec;
            return now.tv_sec;
        }
        """

    /// Compiles it, with the clang that comes with the Swift toolchain.
    init(in directory: String) async throws {
        let (text, library) = ("\(directory)/clock.c", "\(directory)/clock.so")
        try Self.source.write(toFile: text, atomically: true, encoding: .utf8)
        let compiler = try ChildProcess(
            "clang", ["-std=gnu11", "-O2", "-shared", "-fPIC", "-o", library, text],
            environment: ProcessInfo.processInfo.environment,
            output: URL(fileURLWithPath: "\(directory)/clock.log"))
        _ = await eventually(within: .seconds(60)) { compiler.status != nil }
        guard compiler.status == 0 else { throw ChaosProblem.noClock(compiler.text) }
        self.library = library
    }

    /// What a process is to be started with, so many seconds off.
    func environment(seconds: Int) -> [String: String] {
        ["LD_PRELOAD": library, "FXCLOCK_SECONDS": "\(seconds)"]
    }
}
