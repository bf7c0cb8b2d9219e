/// Settles an attempt, and takes in what came of it.
///
/// Keys: control, snapshot, archive, two candidates of the report's month, cooldown mirror, the archive's order, bytes and
/// times. Arguments after the common
/// eight: attempt, token, outcome, keeps the slot (0, 1), reason, scope, wait, upstream's count, upstream's limit, what
/// upstream has left (empty: none), interval, call class, immutable (0, 1), events channel, report lifetime, the key's
/// mark; for an answer also: id, snapshot token,
/// fetched-at, data time, source, lifetime, archive lifetime, body, the most bytes of the archive. Reply: kind, its values, the shadow.
///
/// The control is written first and as a whole, after a removal of nothing: a full server refuses the first write of a
/// script only, and a removal is never refused. So what may get lost is a body, never a count.
enum ScriptsFinish {
    static let source = #"""
        local attempt, token, outcome = ARGV[9], tonumber(ARGV[10]), ARGV[11]
        local keeps_slot, reason, scope, wait = ARGV[12] == '1', ARGV[13], ARGV[14], tonumber(ARGV[15])
        local counted, shown, left = tonumber(ARGV[16]), tonumber(ARGV[17]), tonumber(ARGV[18])
        local interval, class, is_immutable = tonumber(ARGV[19]), ARGV[20], ARGV[21] == '1'
        local channel, ledger_kept, key = ARGV[22], ARGV[23], ARGV[24]

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
                -- Nothing was fetched, and it is nobody's failure: somebody else, or another key, may go on at once.
                local is_open = outcome == 'unsent' or outcome == 'handed_over'
                    or (outcome == 'limited' and scope == 'key')
                    -- A refusal without room for its record would be asked again at once.
                    or (outcome == 'refused' and #c.refused < REFUSED_KEPT)
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
        if outcome == 'fetched' or outcome == 'older' or outcome == 'answered' then
            for _, name in ipairs(SCOPES) do
                local cd = c.cd[name]
                if cd and cd.stop <= now and cd.token < token then
                    c.cd[name] = nil
                    has_cooldown_changed = true
                end
            end
            clear_refusal(c, token, key)
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
            snapshot = {id = ARGV[25], token = tonumber(ARGV[26]), fetched_at = tonumber(ARGV[27]),
                data_time = tonumber(ARGV[28]), source = ARGV[29], keep = tonumber(ARGV[30]), body = ARGV[32]}
            local stored
            stored, is_garbage = read_snapshot(KEYS[2], true)
            stored = unpurged(c, stored)
            if snapshot.token <= c.purged then
                -- Asked for before an operator dropped all that there was.
                snapshot = nil
            elseif stored and stored.token == snapshot.token and stored.id == snapshot.id then
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
        elseif outcome == 'refused' then
            local next_at = note_refusal(c, token, key)
            if next_at then
                event = '"kind":"refused","resource":' .. cjson.encode(resource) .. ',"next":' .. text(next_at)
            end
        elseif outcome == 'limited' then
            -- By whoever met the limit, also when its token is not the newest.
            local is_first = not c.cd[scope]
            local cd = c.cd[scope]
                or {stop = 0, token = -1, strikes = 0, since = now, attempts = '', keys = ''}
            -- The last eight reports are remembered: the same one has no second effect.
            if not has_word(cd.attempts, attempt) then
                local is_new = token > cd.token
                if is_new then cd.strikes = cd.strikes + 1 end
                local longest = LONGEST[scope]
                -- Upstream says that the month is used up, the ledger doesn't: asked again by the hour.
                if scope == 'month' and c.used * 10 < limit(c) * 9 then longest = HOUR end
                local pause = min(max(wait, 1000), longest)
                if scope == 'short' then
                    pause = min(pause * 2 ^ min(max(cd.strikes - 1, 0), 12), longest)
                end
                if now + pause >= cd.stop then cd.stop, cd.reason = now + pause, reason end
                cd.token, cd.is_told = c.epoch, false
                local taken = words(cd.attempts)
                table.insert(taken, attempt)
                cd.attempts = newest_words(taken)
                if scope == 'key' and not has_word(cd.keys, key) and (is_first or cd.keys ~= '') then
                    local marks = words(cd.keys)
                    table.insert(marks, key)
                    cd.keys = newest_words(marks)
                end
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
            if counted and min(counted, MOST) > c.used then
                c.external = c.external + min(counted, MOST) - c.used
                c.used = min(counted, MOST)
            end
            if left then
                -- Calls in flight may not be among those that upstream has counted.
                local most = max(0, c.used - c.external - reserved(c)) + min(left, MOST)
                c.most = min(c.most or most, most)
            end
            if shown and shown > 0 then c.plan = min(c.plan or shown, shown) end
        end

        redis.call('HDEL', control_key, '-')
        save(c, redis.call)
        if has_cooldown_changed then mirror(c, KEYS[6]) end
        if snapshot then
            write_snapshot(KEYS[2], is_garbage, snapshot)
            archive(resource, snapshot, tonumber(ARGV[31]), tonumber(ARGV[33]))
            values = {told_archive()}
        end
        if event then
            redis.pcall('PUBLISH', channel, '{' .. event .. ',"used":' .. text(c.used) .. ',"epoch":'
                .. text(c.epoch) .. '}')
        end
        if settled then
            report(4, settled.month, ledger_kept, 'outcome:' .. outcome, 'class:' .. class, 'instance:' .. holder)
        end
        return {kind, values, shadow(c)}
        """#
}
