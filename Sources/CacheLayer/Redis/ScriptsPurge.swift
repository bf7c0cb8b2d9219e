/// Drops all snapshots; the control and what is kept for replay stay.
///
/// Keys: control, two candidates of the report's month, then snapshots to remove at once. Arguments after the common
/// eight: events channel, report lifetime. Reply: kind, nothing, the shadow.
/// The control's word is what counts: it makes every snapshot up to its last token a missing one.
enum ScriptsPurge {
    static let source = #"""
        local c = read_control()
        if lost(c) then return {'lost', {}, {}} end
        catch_up(c)
        c.purged = c.epoch
        save(c, redis.call)
        for i = 4, #KEYS do redis.pcall('DEL', KEYS[i]) end
        redis.pcall('PUBLISH', ARGV[9], '{"kind":"purged","used":' .. text(c.used) .. ',"epoch":'
            .. text(c.epoch) .. '}')
        report(2, c.month, ARGV[10], 'purged')
        return {'purged', {}, shadow(c)}
        """#
}
