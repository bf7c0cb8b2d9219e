import Glibc

/// Why the state file could not be read or written: one word for logs, metrics and the status page.
///
/// Never carries a path or any of the bytes.
package enum StateFileFault: String, Error, Hashable, Sendable, CaseIterable {
    /// There is no such directory.
    case noDirectory = "no_directory"
    /// Another process holds this directory's file.
    case inUse = "in_use"
    /// No room, no quota, or a file size limit.
    case full
    /// The file system or its permissions don't let us write.
    case readOnly = "read_only"
    /// The system reported any other error.
    case failed = "io_error"
    /// The disk didn't answer in the time that makes sense.
    case tooSlow = "too_slow"
    /// Something else than a plain file has its name.
    case notAFile = "not_a_file"
    /// Larger than any state file is: not even looked at.
    case tooLarge = "too_large"
    /// No JSON document: garbage, truncated, empty.
    case notJSON = "not_json"
    /// Written by a version that means something else by it.
    case otherSchema = "other_schema"
    /// Of another fleet or another upstream.
    case foreign
    /// Its digest isn't that of its content.
    case damaged
    /// A field is missing, of another type or out of its range.
    case malformed

    /// The fault that a system call's error number stands for, when writing.
    init(writing number: Int32) {
        switch number {
        case ENOENT, ENOTDIR: self = .noDirectory
        case ENOSPC, EDQUOT, EFBIG: self = .full
        case EROFS, EACCES, EPERM: self = .readOnly
        // The new file's name is always free, unless a directory has it.
        case EISDIR, ELOOP, EEXIST: self = .notAFile
        default: self = .failed
        }
    }
}
