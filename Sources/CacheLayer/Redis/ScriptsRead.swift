/// Reads a snapshot, or an archived one, with what is left of its life.
///
/// Keys: the snapshot. No arguments. Reply: `snapshot`, its seven values and the archived one's resource (else empty); or
/// `none` and 1 if there is something that can't be read, else 0.
enum ScriptsRead {
    static let source = #"""
        local stored = read_snapshot(KEYS[1], true)
        if not stored then return {'none', {text(garbage)}, {}} end
        local values = told_snapshot(stored)
        table.insert(values, redis.call('HGET', KEYS[1], 'resource') or '')
        return {'snapshot', values, {}}
        """#
}
