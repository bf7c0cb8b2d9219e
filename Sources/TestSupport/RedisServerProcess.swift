import Glibc

/// A child process that nothing of ours leaks into, and that doesn't outlive us.
///
/// For one thread at a time.
struct RedisServerProcess {
    let pid: pid_t
    private let watch: ProcessGuard

    /// Starts a program; its output goes to the end of `log`.
    init(_ arguments: [String], log: String) throws(RedisServerProblem) {
        pid = try Self.spawn(arguments, input: nil, log: log)
        do throws(RedisServerProblem) {
            watch = try ProcessGuard(of: pid)
        } catch {
            Self.end(pid)
            throw error
        }
    }

    /// Whether it has ended by itself; `end` is still to be called.
    func hasEnded() -> Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo == SIGCHLD
    }

    /// Kills it and waits until it's gone; to be called once.
    func end() {
        watch.end()
        Self.end(pid)
    }

    /// Kills a child and waits until it's gone.
    static func end(_ pid: pid_t) {
        kill(pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
    }

    /// A program with no signal blocked and none of our descriptors but `input`.
    static func spawn(_ arguments: [String], input: Int32?, log: String) throws(RedisServerProblem)
        -> pid_t
    {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The threads of Swift's pool block signals, and a child inherits that: it would ignore SIGTERM for ever.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        if let input {
            posix_spawn_file_actions_adddup2(&files, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_addopen(&files, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&files, 1, 2)
        files.closeAll(from: 3)

        let vector: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for pointer in vector { free(pointer) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, arguments[0], &files, &attributes, vector, environ)
        guard code == 0 else { throw .cannotSpawn(code: code) }
        return pid
    }
}
