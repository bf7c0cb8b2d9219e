/// Why a child process did not start.
package enum ChildProcessError: Error, Equatable {
    /// The system's error number for the program of this name.
    case cannotStart(String, errno: Int32)
}
