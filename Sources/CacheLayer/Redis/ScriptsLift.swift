/// Ends a cooldown before its time.
///
/// Keys: control, cooldown mirror. Arguments after the common eight: scope. Reply: kind, nothing, the shadow.
enum ScriptsLift {
    static let source = #"""
        local c = read_control()
        if lost(c) then return {'lost', {}, {}} end
        catch_up(c)
        c.cd[ARGV[9]] = nil
        save(c, redis.call)
        mirror(c, KEYS[2])
        return {'lifted', {}, shadow(c)}
        """#
}
