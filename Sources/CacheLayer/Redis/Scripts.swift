/// The scripts that are the protocol of `docs/protocol.md`, each one atomic step of the server.
///
/// All have the control as first key, and eight common arguments: birth (empty: none known), floor, monthly plan, gap,
/// burst, target in permille, holder, resource (empty: none). Replies are a word, its values and the shadow, all bulk
/// strings.
package struct Scripts: Sendable {
    package let begin: RedisScript
    let finish: RedisScript
    let restore: RedisScript
    let look: RedisScript
    let lift: RedisScript
    let purge: RedisScript
    let amend: RedisScript
    /// No part of the protocol: reads one snapshot with what is left of its life.
    let read: RedisScript
    /// The same for one that is kept to be asked for again.
    let archived: RedisScript

    /// The one clock of the protocol: the server's, in milliseconds.
    package static let serverClock = #"""
        local time = redis.call('TIME')
        local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

        """#

    /// The scripts with the lines that define `now`, in whole milliseconds.
    package init(clock: String = serverClock) {
        func script(_ name: String, _ body: String) -> RedisScript {
            let parts = [ScriptsHead.source, ScriptsRefusals.source, ScriptsControl.source, body]
            return RedisScript(name: name, source: clock + parts.joined(separator: "\n"))
        }
        func accepting(_ body: String) -> String { ScriptsArchive.source + "\n" + body }
        func reading(_ name: String, _ body: String) -> RedisScript {
            RedisScript(name: name, source: clock + ScriptsHead.source + "\n" + body)
        }
        begin = script("begin", ScriptsBegin.source)
        finish = script("finish", accepting(ScriptsFinish.source))
        restore = script("restore", accepting(ScriptsRestore.source))
        look = script("look", ScriptsLook.source)
        lift = script("lift", ScriptsLift.source)
        purge = script("purge", ScriptsPurge.source)
        amend = script("amend", accepting(ScriptsAmend.source))
        read = reading("read", ScriptsRead.source)
        archived = reading("archived", ScriptsArchived.source)
    }
}
