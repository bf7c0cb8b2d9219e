import Glibc

/// One instance's file in the state directory: read once at start, replaced as a whole by each write.
///
/// A write goes to a neighbour of the file, is forced to the disk, and only then takes the file's name: whatever stops it,
/// the old file stays whole. Blocking; for one thread at a time, which `StateKeeper` sees to.
final class StateFile {
    private let directory: String
    private let name: String
    /// Held as long as this object lives: the file has one writer.
    private var lock: Int32?

    /// Nothing is opened yet.
    init(directory: String, name: String) {
        self.directory = directory
        self.name = name
    }

    deinit { release() }

    /// Lets another process write.
    ///
    /// Unlocks before it closes: a child that is just being started has a copy of the descriptor until it runs.
    func release() {
        if let lock {
            flock(lock, LOCK_UN)
            close(lock)
        }
        lock = nil
    }

    /// All bytes of the file; nil if there is none.
    ///
    /// Needs no lock: a reader meets the whole old or the whole new file.
    func read(atMost limit: Int) throws(StateFileFault) -> [UInt8]? {
        let folder = try openDirectory()
        defer { close(folder) }
        // Not blocking: something else than a file, a pipe say, must not hold up the start.
        let file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw StateFileFault(writing: errno)
        }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0 else { throw .failed }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard facts.st_size <= limit else { throw .tooLarge }
        return try Self.readAll(file, count: Int(facts.st_size))
    }

    /// Replaces the file.
    ///
    /// Throws `inUse` while another process holds the lock; it is tried anew each time, so that the next owner takes
    /// over once the last one has ended. After any error the file is as it was, or, if only the directory could not be
    /// forced to the disk, already the new one.
    func write(_ bytes: [UInt8]) throws(StateFileFault) {
        let folder = try openDirectory()
        defer { close(folder) }
        try takeLock(in: folder)
        let neighbour = name + ".tmp"
        unlinkat(folder, neighbour, 0)
        let file = openat(folder, neighbour, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw StateFileFault(writing: errno) }
        do throws(StateFileFault) {
            defer { close(file) }
            try Self.writeAll(bytes, to: file)
            guard fsync(file) == 0 else { throw StateFileFault(writing: errno) }
        } catch {
            // On a full disk it would keep the room that the next try needs.
            unlinkat(folder, neighbour, 0)
            throw error
        }
        guard renameat(folder, neighbour, folder, name) == 0 else {
            let number = errno
            unlinkat(folder, neighbour, 0)
            throw StateFileFault(writing: number)
        }
        guard fsync(folder) == 0 else { throw StateFileFault(writing: errno) }
    }

    private func openDirectory() throws(StateFileFault) -> Int32 {
        let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw StateFileFault(writing: errno) }
        return folder
    }

    /// A lock of the open file, not of the process's number: in a container every process is number 1.
    private func takeLock(in folder: Int32) throws(StateFileFault) {
        guard lock == nil else { return }
        let file = openat(folder, name + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw StateFileFault(writing: errno) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            close(file)
            throw number == EWOULDBLOCK ? .inUse : StateFileFault(writing: number)
        }
        lock = file
    }

    private static func readAll(_ file: Int32, count: Int) throws(StateFileFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var place = 0
        while place < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(file, buffer.baseAddress?.advanced(by: place), count - place)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .failed }
            if got == 0 { break }
            place += got
        }
        return Array(bytes.prefix(place))
    }

    private static func writeAll(_ bytes: [UInt8], to file: Int32) throws(StateFileFault) {
        var place = 0
        while place < bytes.count {
            let put = bytes.withUnsafeBytes { buffer in
                Glibc.write(file, buffer.baseAddress?.advanced(by: place), bytes.count - place)
            }
            if put < 0, errno == EINTR { continue }
            guard put > 0 else { throw put < 0 ? StateFileFault(writing: errno) : .full }
            place += put
        }
    }
}
