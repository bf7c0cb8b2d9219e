/// Takes the lease of a resource, a slot of the fleet's cap and one call of the ledger at once, or
/// nothing, and says why.
///
/// Keys: control, snapshot. Arguments after the common eight: attempt, lease, held token (empty: nothing is held), held data
/// time, held source, not-after, least interval, forced (0, 1), the key's mark. Reply: kind, its values, the shadow.
/// Refusals write what time alone has changed, by `pcall`: they are computed again if that fails.
enum ScriptsBegin {
    static let source = #"""
        local attempt, lease = ARGV[9], max(1, tonumber(ARGV[10]))
        local held
        if ARGV[11] ~= '' then
            held = {token = tonumber(ARGV[11]), data_time = tonumber(ARGV[12]), source = ARGV[13]}
        end
        local not_after, least, is_forced = tonumber(ARGV[14]), tonumber(ARGV[15]), ARGV[16] == '1'
        local key = ARGV[17]

        local c = read_control()
        local is_lost = lost(c)
        if now > not_after then
            if is_lost then return {'late', {}, {}} end
            catch_up(c)
            return {'late', {}, shadow(c)}
        end
        if is_lost then return {'lost', {}, {}} end
        catch_up(c)
        local function refuse(kind, ...)
            save(c, redis.pcall)
            return {kind, {...}, shadow(c)}
        end

        local granted = interval_now(c, least)
        if granted and c.pace and c.pace.next_at > now + granted then c.pace.next_at = now + granted end
        -- The request was sent again: the same answer.
        for _, f in ipairs(c.flights) do
            if f.attempt == attempt and not f.is_settled and f['end'] > now then
                local interval = f.interval
                if interval == 0 then interval = granted or lengthened(c, least) end
                return refuse('fetch', text(f.token), text(f['end'] - now), text(interval))
            end
        end
        local stored = unpurged(c, (read_snapshot(KEYS[2], true)))
        if stored and beats(stored, held) then return refuse('newer', unpack(told_snapshot(stored))) end
        if now < c.open_at then return refuse('paced', text(c.open_at - now)) end
        local leave = edge()
        if leave then return refuse('paced', text(leave - now)) end

        -- Cooldowns: those that run, then the probe that is out after one that has ended.
        local pause_scope, pause = nil, 0
        for _, scope in ipairs(SCOPES) do
            local cd = c.cd[scope]
            if cd and cd.stop - now > pause and holds_for(cd, key) and not (is_forced and scope == 'short') then
                pause_scope, pause = scope, cd.stop - now
            end
        end
        if not pause_scope then
            for _, scope in ipairs(SCOPES) do
                local cd = c.cd[scope]
                for _, f in ipairs(c.flights) do
                    if cd and cd.stop <= now and holds_for(cd, key) and f.token > cd.token
                        and f['end'] - now > pause then
                        pause_scope, pause = scope, f['end'] - now
                    end
                end
            end
        end
        if pause_scope then return refuse('cooldown', pause_scope, text(pause)) end
        local refusal = refusal_of(c, key)
        if refusal and refusal['end'] > now and not is_forced then
            return refuse('refused', text(refusal['end'] - now))
        end

        local live, longest, shortest = 0, 0, nil
        for _, f in ipairs(c.flights) do
            local rest = f['end'] - now
            if rest > 0 then
                live = live + 1
                if f.resource == resource then longest = max(longest, rest) end
                shortest = min(shortest or rest, rest)
            end
        end
        if longest > 0 then return refuse('busy', text(longest)) end
        if live >= burst then return refuse('slots', text(shortest)) end

        for _, f in ipairs(c.flights) do
            if f.resource == resource and not f.is_settled and f['end'] <= now then
                note_failure(c, f.token, f['end'], granted or lengthened(c, least))
            end
        end
        local due = c.tat - (burst - 1) * gap
        if c.pace and not is_forced then due = max(due, c.pace.next_at) end
        if now < due then return refuse('paced', text(due - now)) end
        if not granted then return refuse('exhausted', text(reset + EDGE - now)) end

        c.epoch = max(c.epoch + 1, floor + 1, (stored and stored.token or 0) + 1, now)
        c.used = c.used + 1
        c.tat = max(c.tat, now) + gap
        local kept = {}
        for _, f in ipairs(c.flights) do
            local last = f.is_settled and now or now - HOUR
            if f.attempt ~= attempt and f['end'] > last then table.insert(kept, f) end
        end
        table.insert(kept, {attempt = attempt, token = c.epoch, resource = resource, holder = holder,
            ['end'] = now + lease, month = c.month, lease = lease, interval = granted})
        c.flights = kept
        c.pace = c.pace or {strikes = 0, failed = 0}
        c.pace.next_at, c.pace.token = now + granted, c.epoch
        save(c, redis.call)
        return {'fetch', {text(c.epoch), text(lease), text(granted)}, shadow(c)}
        """#
}
