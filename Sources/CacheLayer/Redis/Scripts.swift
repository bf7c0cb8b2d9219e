/// The two scripts that Redis runs: one reads at one instant, one writes to exactly what was read.
///
/// Neither knows what the commands mean that it is given: each is a number of words and the words.
package struct Scripts: Sendable {
    package let read: RedisScript
    package let commit: RedisScript

    /// The one clock of the protocol: the server's, in milliseconds.
    package static let serverClock = #"""
        local time = redis.pcall('TIME')
        if time.err then return redis.error_reply(time.err .. ' (TIME)') end
        local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

        """#

    /// The scripts with the lines that define `now`, in whole milliseconds.
    package init(clock: String = serverClock) {
        read = RedisScript(name: "read", source: clock + Self.readSource)
        commit = RedisScript(name: "commit", source: clock + Self.commitSource)
    }

    /// Runs commands at one instant.
    ///
    /// Arguments: the commands. Reply: the time, then each command's reply; a value of another type is an error in its place,
    /// any other error is the whole reply, with the command's name in parentheses.
    private static let readSource = #"""
        local out, place = {string.format('%.0f', now)}, 1
        while place <= #ARGV do
            local last = place + tonumber(ARGV[place])
            local reply = redis.pcall(unpack(ARGV, place + 1, last))
            if type(reply) == 'table' and reply.err and not string.find(reply.err, 'WRONGTYPE') then
                return redis.error_reply(reply.err .. ' (' .. ARGV[place + 1] .. ')')
            end
            table.insert(out, reply)
            place = last + 1
        end
        return out
        """#

    /// Runs commands if the control is the one that was read.
    ///
    /// Keys: the control, then all others that the commands name. Arguments: the control's birth and version as they
    /// were read (`!` and nothing: another type), the latest moment, how many of the commands have to succeed, the
    /// commands. Reply: `moved`, `late`, or `done` with the reply or error of each further command.
    private static let commitSource = #"""
        local seen = redis.pcall('HMGET', KEYS[1], 'birth', 'version')
        if seen.err and not string.find(seen.err, 'WRONGTYPE') then return redis.error_reply(seen.err .. ' (HMGET)') end
        local birth, version = '!', ''
        if not seen.err then birth, version = seen[1] or '', seen[2] or '' end
        if birth ~= ARGV[1] or version ~= ARGV[2] then return {'moved'} end
        if now > tonumber(ARGV[3]) then return {'late'} end
        local out, firm, place = {'done'}, tonumber(ARGV[4]), 5
        while place <= #ARGV do
            local last = place + tonumber(ARGV[place])
            local reply = redis.pcall(unpack(ARGV, place + 1, last))
            if firm > 0 and type(reply) == 'table' and reply.err then
                return redis.error_reply(reply.err .. ' (' .. ARGV[place + 1] .. ')')
            end
            if firm <= 0 then table.insert(out, reply) end
            firm, place = firm - 1, last + 1
        end
        return out
        """#
}
