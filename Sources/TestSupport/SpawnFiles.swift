import Glibc

extension posix_spawn_file_actions_t {
    /// Lets a child begin without our other descriptors.
    ///
    /// Another test's socket, caught between its making and its close-on-exec flag or of a library that sets none, would
    /// stay open in the child and never be seen to close; and a child with few descriptors has none to spare. Swift's Glibc
    /// doesn't show the function, as it is none of POSIX.
    mutating func closeAll(from first: Int32) {
        typealias CloseFrom =
            @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
        _ = unsafeBitCast(symbol, to: CloseFrom.self)(&self, first)
    }
}
