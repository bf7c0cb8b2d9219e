/// Asks every few milliseconds whether `condition` holds, until it does or `limit` has passed.
func eventually(within limit: Duration, _ condition: () throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if try condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return try condition()
}
