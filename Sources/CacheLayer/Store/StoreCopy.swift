/// All that a store holds at one instant, as an asynchronous replica of a server has it.
///
/// A value, safe from any thread.
package struct StoreCopy: Sendable {
    let state: MemoryState
}
