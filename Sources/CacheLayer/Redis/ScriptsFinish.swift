/// Settles an attempt, and takes in what came of it.
///
/// Keys: control, snapshot, archive, two candidates of the report's month, cooldown mirror. Arguments after the common
/// eight: attempt, token, outcome, keeps the slot (0, 1), reason, scope, wait, upstream's count, upstream's limit (empty:
/// none), interval, call class, immutable (0, 1), events channel, report lifetime; for an answer also: id, snapshot token,
/// fetched-at, data time, source, lifetime, archive lifetime, body. Reply: kind, its values, the shadow.
///
/// The control is written first and as a whole, after a removal of nothing: a full server refuses the first write of a
/// script only, and a removal is never refused. So what may get lost is a body, never a count.
enum ScriptsFinish {
    static let source = #"""
        local attempt, token, outcome = ARGV[9], tonumber(ARGV[10]), ARGV[11]
        local keeps_slot, reason, scope, wait = ARGV[12] == '1', ARGV[13], ARGV[14], tonumber(ARGV[15])
        local counted, shown = tonumber(ARGV[16]), tonumber(ARGV[17])
        local interval, class, is_immutable = tonumber(ARGV[18]), ARGV[19], ARGV[20] == '1'
        local channel, ledger_kept = ARGV[21], ARGV[22]

        local c = read_control()
        if lost(c) then return {'lost', {}, {}} end
        catch_up(c)
        if now < c.open_at then return {'wait', {text(c.open_at - now)}, shadow(c)} end
        local leave, is_before = edge()

        -- Settled once: the record goes, or keeps only its slot.
        local settled
        for i, f in ipairs(c.flights) do
            if f.attempt == attempt and not f.is_settled then
                settled = f
                if outcome == 'unsent' then
                    if f.month == c.month then c.used = max(0, c.used - 1) end
                elseif is_before and f.month == c.month then
                    c.carry = c.carry + 1
                end
                -- Nothing was fetched, and it is nobody's failure: somebody else may go on at once.
                local is_open = outcome == 'unsent' or outcome == 'handed_over'
                if is_open and c.pace and c.pace.token == f.token then c.pace.next_at = now end
                if outcome == 'failed' and keeps_slot then
                    f.is_settled = true
                else
                    table.remove(c.flights, i)
                end
                break
            end
        end

        local event = settled and '"kind":"slot_free","resource":' .. cjson.encode(resource)
        local kind, values = 'noted', {}
        local snapshot, is_garbage, has_cooldown_changed = nil, false, false
        local is_newest = token >= (c.pace and c.pace.token or 0)
        -- Upstream has answered: its limits are over, and so is a row of failures.
        if outcome == 'fetched' or outcome == 'older' then
            for _, name in ipairs(SCOPES) do
                local cd = c.cd[name]
                if cd and cd.stop <= now and cd.token < token then
                    c.cd[name] = nil
                    has_cooldown_changed = true
                end
            end
            if is_newest and c.pace then c.pace.strikes = 0 end
        end
        local function note_older()
            if not settled or not is_newest then return end
            c.pace = c.pace or {strikes = 0, token = 0, failed = 0}
            c.pace.next_at = now + interval
        end
        if outcome == 'older' then
            note_older()
        elseif outcome == 'fetched' then
            snapshot = {id = ARGV[23], token = tonumber(ARGV[24]), fetched_at = tonumber(ARGV[25]),
                data_time = tonumber(ARGV[26]), source = ARGV[27], keep = tonumber(ARGV[28]), body = ARGV[30]}
            local stored
            stored, is_garbage = read_snapshot(KEYS[2], true)
            if stored and stored.token == snapshot.token and stored.id == snapshot.id then
                kind, snapshot = 'stored', nil
            elseif beats(snapshot, stored) then
                kind = 'stored'
                if is_immutable then c.pace = nil end
                event = '"kind":"published","resource":' .. cjson.encode(resource) .. ',"token":'
                    .. text(snapshot.token) .. ',"id":' .. cjson.encode(snapshot.id) .. ',"data_time":'
                    .. text(snapshot.data_time)
            else
                kind, values = 'fenced', told_snapshot(stored)
                if stored.token < snapshot.token then
                    kind = 'older'
                    note_older()
                end
                snapshot = nil
            end
        elseif outcome == 'failed' then
            local next_at = note_failure(c, token, now, interval)
            if next_at then
                event = '"kind":"failed","resource":' .. cjson.encode(resource) .. ',"next":' .. text(next_at)
            end
        elseif outcome == 'limited' then
            -- By whoever met the limit, also when its token is not the newest.
            local cd = c.cd[scope] or {stop = 0, token = -1, strikes = 0, since = now, attempts = ''}
            -- The last eight reports are remembered: the same one has no second effect.
            if not string.find(' ' .. cd.attempts .. ' ', ' ' .. attempt .. ' ', 1, true) then
                local is_new = token > cd.token
                if is_new then cd.strikes = cd.strikes + 1 end
                local pause = min(max(wait, 1000), LONGEST[scope])
                if scope == 'short' then
                    pause = min(pause * 2 ^ min(max(cd.strikes - 1, 0), 12), LONGEST[scope])
                end
                if now + pause >= cd.stop then cd.stop, cd.reason = now + pause, reason end
                cd.token, cd.is_told = c.epoch, false
                local taken = {}
                for one in string.gmatch(cd.attempts, '%S+') do table.insert(taken, one) end
                table.insert(taken, attempt)
                cd.attempts = table.concat(taken, ' ', max(1, #taken - 7))
                if scope == 'short' and is_new then
                    c.slow = {level = min(3, slow_level(c) + 1), since = cd.stop}
                end
                c.cd[scope] = cd
                has_cooldown_changed = true
                event = '"kind":"cooldown","scope":"' .. scope .. '","ms":' .. text(cd.stop - now)
            end
        end
        -- Upstream's own numbers, where they can only be this month's.
        if settled and settled.month == c.month and not leave then
            if counted then c.used = max(c.used, min(counted, MOST)) end
            if shown and shown > 0 then c.plan = min(c.plan or shown, shown) end
        end

        redis.call('HDEL', control_key, '-')
        save(c, redis.call)
        if has_cooldown_changed then mirror(c, KEYS[6]) end
        if snapshot then
            write_snapshot(KEYS[2], KEYS[3], is_garbage, resource, snapshot, tonumber(ARGV[29]))
        end
        if event then
            redis.pcall('PUBLISH', channel, '{' .. event .. ',"used":' .. text(c.used) .. ',"epoch":'
                .. text(c.epoch) .. '}')
        end
        if settled then
            for i = 4, 5 do
                if string.sub(KEYS[i], -7) == settled.month then
                    redis.pcall('HINCRBY', KEYS[i], 'outcome:' .. outcome, 1)
                    redis.pcall('HINCRBY', KEYS[i], 'class:' .. class, 1)
                    redis.pcall('HINCRBY', KEYS[i], 'instance:' .. holder, 1)
                    redis.pcall('PEXPIRE', KEYS[i], ledger_kept)
                    break
                end
            end
        end
        return {kind, values, shadow(c)}
        """#
}
