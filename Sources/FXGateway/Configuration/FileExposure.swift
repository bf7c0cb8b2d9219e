import Glibc

/// What users other than a file's owner and group may do with it.
enum FileExposure: Sendable, Hashable {
    /// Nothing, or the file isn't there.
    case none
    case readable
    case writable

    /// Looks at the permissions of what a path leads to; symbolic links have none of their own.
    init(ofFileAt path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            self = .none
            return
        }
        self = facts.st_mode & S_IWOTH != 0 ? .writable : facts.st_mode & S_IROTH != 0 ? .readable : .none
    }
}
