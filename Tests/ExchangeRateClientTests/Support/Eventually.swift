/// Polls until `condition` holds; false if it doesn't within some seconds.
///
/// For what another thread or process does soon and tells nobody.
func eventually(within limit: Duration = .seconds(20), _ condition: () async -> Bool) async -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(10))
    }
    return await condition()
}
