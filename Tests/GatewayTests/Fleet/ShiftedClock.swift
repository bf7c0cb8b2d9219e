import Foundation
import TestSupport

/// The wall clock of a real process, moved by a test while the process runs.
///
/// A library of a few functions stands between the process and the system; monotonic clocks stay true, as they do where a
/// machine's clock is set. (libfaketime does the same, but not to a redis-server: its allocator asks for the time before
/// libfaketime is ready.) For one thread at a time. Its files go when it is released.
final class ShiftedClock {
    private static let library = """
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <stdlib.h>
        #include <sys/mman.h>
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>

        static long long none;
        static volatile long long *ahead = &none; /* whole seconds, in a page that the test writes */

        __attribute__((constructor)) static void begin(void) {
            const char *path = getenv("FXGW_TEST_CLOCK");
            int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
            if (file < 0) return;
            void *page = mmap(0, sizeof none, PROT_READ, MAP_SHARED, file, 0);
            if (page != MAP_FAILED) ahead = page;
            close(file);
        }

        int clock_gettime(clockid_t clock, struct timespec *now) {
            int code = (int)syscall(SYS_clock_gettime, clock, now);
            if (code == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += *ahead;
            return code;
        }

        int gettimeofday(struct timeval *now, void *zone) {
            struct timespec exact;
            (void)zone;
            int code = clock_gettime(CLOCK_REALTIME, &exact);
            now->tv_sec = exact.tv_sec;
            now->tv_usec = exact.tv_nsec / 1000;
            return code;
        }

        time_t time(time_t *out) {
            struct timespec exact;
            clock_gettime(CLOCK_REALTIME, &exact);
            if (out) *out = exact.tv_sec;
            return exact.tv_sec;
        }
        """

    private let folder: URL

    /// A clock that is so many seconds ahead of the true one, or behind.
    init(ahead seconds: Int64) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "clock-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try Data(Self.library.utf8).write(to: folder.appending(path: "clock.c"))
        // Swift's own clang: wherever these tests were built, it is there.
        let made = try await ShellCommand.run(
            "clang -shared -fPIC -O1 -o '\(folder.path)/clock.so' '\(folder.path)/clock.c'")
        guard made.status == 0 else { throw GatewayProcess.Problem.noExecutable("clang: \(made.text)") }
        try set(ahead: seconds)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Steps to so many seconds ahead of the true time, or behind it, at once for all that have this clock.
    func set(ahead seconds: Int64) throws {
        let file = open(folder.appending(path: "ahead").path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        var value = seconds
        guard pwrite(file, &value, MemoryLayout<Int64>.size, 0) == MemoryLayout<Int64>.size else {
            throw POSIXError(.EIO)
        }
    }

    /// What a process has to be started with to have this clock.
    var environment: [String: String] {
        [
            "LD_PRELOAD": folder.appending(path: "clock.so").path,
            "FXGW_TEST_CLOCK": folder.appending(path: "ahead").path,
        ]
    }
}
