/// Reads a snapshot with what is left of its life.
///
/// Keys: the snapshot. No arguments. Reply: `snapshot`, its seven values (and for an archived one its resource); or
/// `none` and 1 if there is something that can't be read, else 0.
enum ScriptsRead {
    static let source = #"""
        local stored = read_snapshot(KEYS[1], true)
        if not stored then return {'none', {text(garbage)}, {}} end
        return {'snapshot', told_snapshot(stored), {}}
        """#
}
