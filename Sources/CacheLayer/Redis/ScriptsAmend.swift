/// Puts an amended snapshot in the place of the one that it was made from.
///
/// Keys: control, snapshot, archive, two candidates of the report's month, the archive's order, bytes and times. Arguments
/// after the common eight: id and token of the one it was made from, events channel, report lifetime, then the snapshot:
/// id, token, fetched-at, data time, source, lifetime, archive lifetime, body, the most bytes of the archive. Reply: kind,
/// what is left of a running fetch or what the archive told, the shadow.
///
/// The control is written first, as in `finish`: what may get lost is a body, never a token.
enum ScriptsAmend {
    static let source = #"""
        local c = read_control()
        if lost(c) then return {'lost', {}, {}} end
        catch_up(c)
        local rest = 0
        for _, f in ipairs(c.flights) do
            if f.resource == resource and not f.is_settled then rest = max(rest, f['end'] - now) end
        end
        local stored, is_garbage = read_snapshot(KEYS[2], false)
        stored = unpurged(c, stored)
        local snapshot = {id = ARGV[13], token = tonumber(ARGV[14]), fetched_at = tonumber(ARGV[15]),
            data_time = tonumber(ARGV[16]), source = ARGV[17], keep = tonumber(ARGV[18]), body = ARGV[20],
            -- Until now the one that it was made from was the newest, though both were fetched at once.
            from = now}
        -- It was sent again: the same answer.
        if stored and stored.id == snapshot.id and stored.token == snapshot.token then
            return {'stored', {}, shadow(c)}
        end
        if rest > 0 then return {'busy', {text(rest)}, shadow(c)} end
        -- What an operator has dropped doesn't come back by another one's act.
        if (stored and stored.id ~= ARGV[9]) or tonumber(ARGV[10]) <= c.purged then
            return {'changed', {}, shadow(c)}
        end
        if snapshot.token <= c.epoch then return {'overtaken', {}, shadow(c)} end
        c.epoch = snapshot.token
        redis.call('HDEL', control_key, '-')
        save(c, redis.call)
        write_snapshot(KEYS[2], is_garbage, snapshot)
        archive(resource, snapshot, tonumber(ARGV[19]), tonumber(ARGV[21]))
        redis.pcall('PUBLISH', ARGV[11], '{"kind":"published","resource":' .. cjson.encode(resource)
            .. ',"token":' .. text(snapshot.token) .. ',"id":' .. cjson.encode(snapshot.id) .. ',"data_time":'
            .. text(snapshot.data_time) .. ',"used":' .. text(c.used) .. ',"epoch":' .. text(c.epoch) .. '}')
        report(4, c.month, ARGV[12], 'amended')
        return {'stored', {told_archive()}, shadow(c)}
        """#
}
