/// What an operator sees of the state file; never its path.
package struct StateFileHealth: Sendable {
    /// When it was last written, as an age; nil if never in this life.
    package let lastWrite: Duration?
    /// The size of what was last written.
    package let bytes: Int
    /// Why the last try to read or write failed; nil after one that succeeded.
    package let fault: StateFileFault?
    /// Since the process began.
    package let writes: Int
    package let failures: [(label: StateFileFault, count: Int)]
    /// Snapshots taken over from it at the start.
    package let adopted: Int
}
