/// Reads an archived snapshot by its key, or the one of a resource that was the newest at an instant.
///
/// Keys: the archived snapshot; or the archive's times of the resource. Arguments: none; or the instant in ms. Reply as
/// for `ScriptsRead`.
enum ScriptsArchived {
    static let source = #"""
        local key = KEYS[1]
        if ARGV[1] then
            local newest = redis.pcall('ZREVRANGEBYSCORE', key, ARGV[1], '-inf', 'LIMIT', '0', '1')
            if newest.err then return {'none', {'1'}, {}} end
            if not newest[1] or string.sub(newest[1], 1, 1) == '-' then return {'none', {'0'}, {}} end
            key = string.match(key, '^(.-}:)') .. 'archive:' .. newest[1]
        end
        local stored = read_snapshot(key, true)
        if not stored then return {'none', {text(garbage)}, {}} end
        local stop = whole(redis.call('HGET', key, 'end'))
        if stop then
            if stop <= now then return {'none', {'0'}, {}} end
            stored.keep = stop - now
        end
        local values = told_snapshot(stored)
        table.insert(values, redis.call('HGET', key, 'resource') or '')
        return {'snapshot', values, {}}
        """#
}
