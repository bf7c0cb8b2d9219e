import Glibc

/// A child process that nothing of ours leaks into, and that doesn't outlive us.
///
/// For one thread at a time.
struct RedisServerProcess {
    let pid: pid_t
    private let watchdog: pid_t
    /// Our end of the watchdog's pipe; the kernel closes it however we end.
    private let lifeline: Int32

    /// Starts a program; its output goes to the end of `log`.
    init(_ arguments: [String], log: String) throws(RedisServerProblem) {
        var pipe: [Int32] = [-1, -1]
        // A socket pair, as a pipe can't be had close-on-exec in one step here.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pipe) == 0 else { throw .cannotSpawn(code: errno) }
        defer { close(pipe[0]) }
        do throws(RedisServerProblem) {
            pid = try Self.spawn(arguments, input: nil, log: log)
        } catch {
            close(pipe[1])
            throw error
        }
        do throws(RedisServerProblem) {
            let guarding = ["sh", "-c", "read _; kill -9 \(pid)"]
            watchdog = try Self.spawn(guarding, input: pipe[0], log: "/dev/null")
        } catch {
            Self.end(pid)
            close(pipe[1])
            throw error
        }
        lifeline = pipe[1]
    }

    /// Whether it has ended by itself; `end` is still to be called.
    func hasEnded() -> Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo == SIGCHLD
    }

    /// Kills it and waits until it's gone; to be called once.
    func end() {
        Self.end(watchdog)
        close(lifeline)
        Self.end(pid)
    }

    private static func end(_ pid: pid_t) {
        kill(pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
    }

    private static func spawn(_ arguments: [String], input: Int32?, log: String) throws(RedisServerProblem)
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
        closeAll(from: 3, &files)

        let vector: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for pointer in vector { free(pointer) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, arguments[0], &files, &attributes, vector, environ)
        guard code == 0 else { throw .cannotSpawn(code: code) }
        return pid
    }

    /// Lets the child begin without our other descriptors.
    ///
    /// Another test's socket, caught between its making and its close-on-exec flag, would stay open in the child and
    /// never be seen to close. Swift's Glibc doesn't show the function, as it is none of POSIX.
    private static func closeAll(from first: Int32, _ files: inout posix_spawn_file_actions_t) {
        typealias CloseFrom =
            @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
        _ = unsafeBitCast(symbol, to: CloseFrom.self)(&files, first)
    }
}
