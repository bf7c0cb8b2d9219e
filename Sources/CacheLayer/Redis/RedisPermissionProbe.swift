/// Finds out for which commands of a script the Redis user lacks permission.
///
/// Redis before 7.2 doesn't name the command that a script was stopped at. The probe tries each of the script's commands
/// without effect: it may not write, which Redis checks after the permission. Before Redis 7 no script can be forbidden to
/// write, and nothing is found.
enum RedisPermissionProbe {
    /// Tries commands, and tells which are denied.
    ///
    /// Keys: any one of the script's. Arguments: the commands. Reply: those that are denied.
    ///
    /// The number of arguments is checked first, so each command gets more of them until that is no longer the fault.
    static let script = RedisScript(
        name: "permissions",
        source: """
            #!lua flags=no-writes
            local denied = {}
            for _, name in ipairs(ARGV) do
                local call = {name}
                for _ = 0, 5 do
                    local reply = redis.pcall(unpack(call))
                    local fault = type(reply) == 'table' and reply.err or ''
                    if string.find(fault, "can't run this command", 1, true) then table.insert(denied, name) end
                    if not string.find(fault, 'Wrong number of args', 1, true) then break end
                    table.insert(call, #call == 1 and KEYS[1] or '1')
                end
            end
            return denied
            """)

    /// The words of a script that may be commands: in capital letters and quoted, each once.
    static func commands(of script: RedisScript) -> [String] {
        var commands: [String] = []
        for match in script.source.matches(of: #/'([A-Z]{3,20})'/#) {
            let word = String(match.output.1)
            if !commands.contains(word) { commands.append(word) }
        }
        return commands
    }

    /// The denied commands of a reply; none if it isn't one of the probe's.
    static func denied(_ reply: RedisReply) -> [String] {
        guard case .array(let names) = reply else { return [] }
        return names.compactMap { name in
            if case .string(let bytes) = name { String(decoding: bytes, as: UTF8.self) } else { nil }
        }
    }
}
