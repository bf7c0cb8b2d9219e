/// What is newer than what an instance holds, and what the control says.
///
/// Keys: control, instances, demand, then the snapshot of each interest. Arguments after the common eight: for each
/// interest resource, held token (empty: nothing is held), data time, source. Reply: kind, the number of instances and for
/// each interest its standing, its next instant (empty: none) and its failures in a row, the shadow, at whose end stand the
/// 64 instances that have looked last.
/// Changes no promise but the plan, which the asker's own can only make smaller; the notes are written by `pcall`, so that
/// a full server or a replica answers all the same.
enum ScriptsLook {
    static let source = #"""
        local oldest = text(now - HOUR)
        redis.pcall('ZADD', KEYS[2], text(now), holder)
        for place = 9, #ARGV, 4 do redis.pcall('ZADD', KEYS[3], text(now), ARGV[place]) end
        for key = 2, 3 do
            redis.pcall('ZREMRANGEBYSCORE', KEYS[key], '-inf', oldest)
            redis.pcall('PEXPIRE', KEYS[key], text(HOUR))
        end
        local c = read_control()
        if lost(c) then return {'lost', {}, {}} end
        catch_up(c)
        local plans = plans_text(c.plans)
        if plans ~= before.plans then redis.pcall('HSET', control_key, 'plans', plans) end
        local instances = redis.pcall('ZCARD', KEYS[2])
        local values = {type(instances) == 'number' and text(instances) or '0'}
        local key = 3
        for place = 9, #ARGV, 4 do
            key = key + 1
            local held
            if ARGV[place + 1] ~= '' then
                held = {token = tonumber(ARGV[place + 1]), data_time = tonumber(ARGV[place + 2]),
                    source = ARGV[place + 3]}
            end
            local stored = unpurged(c, (read_snapshot(KEYS[key], false)))
            local standing = 'same'
            if stored and beats(stored, held) then
                standing = 'newer'
            elseif held and held.token > c.purged and beats(held, stored) then
                standing = 'behind'
            end
            local s = redis.call('HGET', control_key, 'res:' .. ARGV[place])
            local pace = s and read_pace(s)
            table.insert(values, standing)
            table.insert(values, pace and text(pace.next_at) or '')
            table.insert(values, pace and text(pace.strikes) or '0')
        end
        local told = shadow(c)
        local members = redis.pcall('ZRANGE', KEYS[2], '-64', '-1', 'WITHSCORES')
        if not members.err then
            for place = 1, #members, 2 do
                table.insert(told, 'member')
                table.insert(told, text(max(0, now - tonumber(members[place + 1]))))
                table.insert(told, '0')
                table.insert(told, members[place])
                table.insert(told, '')
            end
        end
        return {'seen', values, told}
        """#
}
