import EventLoop
package import Foundation

/// A program started by a test, with its output in a file.
///
/// Spawned with an empty signal mask: a child started from a concurrency thread would inherit that thread's blocked
/// signals and ignore SIGTERM. Killed and reaped when released, and killed if this process dies first. Safe from any
/// thread.
package final class ChildProcess: Sendable {
    package let identifier: pid_t
    /// Standard output and standard error of the program, appended.
    package let output: URL
    private let ending = Locked<Int32?>(nil)
    private let watch: ProcessGuard?

    /// Starts `executable` with exactly the given arguments and environment.
    package init(
        _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:], output: URL
    ) throws(ChildProcessError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output.path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        actions.closeAll(from: 3)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        // A killed child must not leave a backtracer behind that holds its files.
        // And where programs are built with the address sanitizer, none looks for leaks: a gateway ends with all that it
        // was made of.
        let standard = ["SWIFT_BACKTRACE": "enable=no", "ASAN_OPTIONS": "detect_leaks=0"]
        let environment = environment.merging(standard) { given, _ in given }
        var pid = pid_t()
        let code = Self.withCStrings([executable] + arguments) { arguments in
            Self.withCStrings(environment.map { "\($0)=\($1)" }) { environment in
                posix_spawnp(&pid, executable, &actions, &attributes, arguments, environment)
            }
        }
        guard code == 0 else { throw .cannotStart(executable, errno: code) }
        identifier = pid
        self.output = output
        // Without the guard the process is only as well kept as `stop` is called.
        watch = try? ProcessGuard(of: pid)
    }

    deinit { stop() }

    /// What it has written so far.
    package var text: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }

    /// Sends a signal; nothing happens once it has ended.
    package func signal(_ number: Int32) {
        guard status == nil else { return }
        kill(identifier, number)
    }

    /// How it ended: the exit status, or 128 + the number of the signal; nil while it runs.
    package var status: Int32? {
        ending.withLock { ending in
            if ending == nil {
                var status: Int32 = 0
                if waitpid(identifier, &status, WNOHANG) == identifier {
                    ending = Self.code(of: status)
                    watch?.end()
                }
            }
            return ending
        }
    }

    /// Kills and reaps it, if it still runs.
    package func stop() {
        ending.withLock { ending in
            guard ending == nil else { return }
            watch?.end()
            kill(identifier, SIGKILL)
            var status: Int32 = 0
            waitpid(identifier, &status, 0)
            ending = Self.code(of: status)
        }
    }

    private static func code(of status: Int32) -> Int32 {
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    private static func withCStrings<R>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
    ) -> R {
        let pointers = strings.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers)
    }
}
