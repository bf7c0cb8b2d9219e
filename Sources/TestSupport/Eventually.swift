/// Polls until `condition` holds, for real processes and sockets that can't be moved by hand.
///
/// Returns whether it did within `limit`. The polls are `step` apart.
package func eventually(
    within limit: Duration, step: Duration = .milliseconds(10), _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let end = ContinuousClock.now.advanced(by: limit)
    while ContinuousClock.now < end {
        if try await condition() { return true }
        try? await Task.sleep(for: step)
    }
    return try await condition()
}
