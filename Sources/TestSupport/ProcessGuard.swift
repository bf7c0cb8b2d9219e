import Glibc

/// Kills a child process if this process ends first, however it ends.
///
/// A shell waits for the end of a pipe that the kernel closes for us. For one thread at a time.
struct ProcessGuard: Sendable {
    private let shell: pid_t
    /// Our end of the shell's pipe.
    private let lifeline: Int32

    /// Watches over a process that was just started.
    init(of pid: pid_t) throws(RedisServerProblem) {
        var pipe: [Int32] = [-1, -1]
        // A socket pair, as a pipe can't be had close-on-exec in one step here.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pipe) == 0 else { throw .cannotSpawn(code: errno) }
        defer { close(pipe[0]) }
        do throws(RedisServerProblem) {
            let guarding = ["sh", "-c", "read _; kill -9 \(pid)"]
            shell = try RedisServerProcess.spawn(guarding, input: pipe[0], log: "/dev/null")
        } catch {
            close(pipe[1])
            throw error
        }
        lifeline = pipe[1]
    }

    /// Ends the watch; to be called once, before the process is reaped.
    func end() {
        RedisServerProcess.end(shell)
        close(lifeline)
    }
}
