/// Ends a cooldown before its time.
///
/// Keys: control, cooldown mirror, two candidates of the report's month. Arguments after the common eight: scope, report
/// lifetime. Reply: kind, nothing, the shadow. Lifting the key's also forgets what was refused to it.
enum ScriptsLift {
    static let source = #"""
        local scope = ARGV[9]
        local c = read_control()
        if lost(c) then return {'lost', {}, {}} end
        catch_up(c)
        local is_there = c.cd[scope] ~= nil
        c.cd[scope] = nil
        if scope == 'key' then
            is_there = is_there or #c.refused > 0
            c.refused = {}
        end
        save(c, redis.call)
        mirror(c, KEYS[2])
        if is_there then report(3, c.month, ARGV[10], 'lifted:' .. scope) end
        return {is_there and 'lifted' or 'nothing', {}, shadow(c)}
        """#
}
