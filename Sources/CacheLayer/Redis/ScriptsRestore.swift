/// Takes in what an instance remembers; the only script that makes a control.
///
/// Keys: control, cooldown mirror, then snapshot and archive of each snapshot held, then what else of the archive has a
/// name of its own. Arguments after the common eight: the
/// name of a new life, lease, grace, ledger month (empty: none), used, age, flight attempt (empty: none), token, resource,
/// age, offline month (empty: none), calls, how many cooldowns, for each scope, rest, strikes, reason, marks of keys; then for each
/// snapshot resource, id, token, fetched-at, data time, source, lifetime, archive lifetime, body, most bytes of the archive.
/// Reply: kind, from when on it grants and what the archive told, the shadow.
enum ScriptsRestore {
    static let source = #"""
        local new_birth, lease, grace = ARGV[9], max(1, tonumber(ARGV[10])), tonumber(ARGV[11])
        local ledger
        if ARGV[12] ~= '' then
            ledger = {month = ARGV[12], used = tonumber(ARGV[13]), age = tonumber(ARGV[14])}
        end
        local here = stamp_here()
        local c = read_control()
        local was_broken = is_broken

        if not c then
            local knows_month = ledger and ledger.month == month_name(this_month)
            local month = month_start(this_month)
            local share = down(plan * down((now - month) / 1000) / ((reset - month) / 1000))
            c = {stamp = here, birth = new_birth, open_at = now + grace, grace = grace, epoch = 0,
                month = month_name(this_month), used = knows_month and 0 or share, carry = burst,
                tat = now + (burst - 1) * gap, flights = {}, cd = {}, plans = {}, away = 0, external = 0,
                purged = 0, refused = {},
                told = not knows_month and 0 or nil}
            before = {}
        elseif c.stamp ~= here or (floor > c.epoch and now >= c.open_at) then
            -- While it is rebuilt each witness may know later tokens: no new loss.
            c.stamp, c.birth, c.open_at, c.grace = here, new_birth, now + grace, grace
            c.used, c.carry, c.away, c.told = max(c.used, min(plan, c.used + burst)), c.carry + burst, 0, nil
        end
        catch_up(c)
        -- Another server's clock may have been ahead, into a month that is about to begin.
        if ledger and ledger.month == month_name(month_of(now + 2 * HOUR)) then roll(c, ledger.month) end
        c.epoch = max(c.epoch, floor)
        -- What was fetched without the store has a token that it never drew: the next one must be above it.
        for place = 24 + 5 * tonumber(ARGV[21]), #ARGV, 10 do
            c.epoch = max(c.epoch, tonumber(ARGV[place]))
        end

        -- A memory of this very life knows nothing that the control doesn't.
        local is_stranger = birth ~= c.birth
        if is_stranger and ledger and is_month(ledger.month) and ledger.month <= c.month then
            local is_this = ledger.month == c.month
            local used = is_this and min(ledger.used, MOST) or 0
            local bound = max(used, min(plan, used + burst + down(max(0, ledger.age) / gap)))
            if c.told then
                c.told = max(c.told, bound)
                if is_this and now < c.open_at then
                    -- Somebody knows: the blank share was for the case that nobody does.
                    c.used, c.told = c.told + c.away, nil
                else
                    c.used = max(c.used - c.away, bound) + c.away
                end
            else
                c.used = max(c.used - c.away, bound) + c.away
            end
        end

        local place = 21
        for _ = 1, tonumber(ARGV[21]) do
            local scope, reason, keys = ARGV[place + 1], ARGV[place + 4], ARGV[place + 5]
            local stop = now + min(tonumber(ARGV[place + 2]), LONGEST[scope])
            local strikes = max(1, tonumber(ARGV[place + 3]))
            place = place + 5
            local cd = c.cd[scope]
            if cd then
                local is_longer = stop > cd.stop or (stop == cd.stop and reason > cd.reason)
                local both = keys
                if keys ~= cd.keys then
                    both = ''
                    if keys ~= '' and cd.keys ~= '' then
                        local marks = words(cd.keys)
                        for _, one in ipairs(words(keys)) do
                            if not has_word(cd.keys, one) then table.insert(marks, one) end
                        end
                        table.sort(marks)
                        both = newest_words(marks)
                    end
                end
                if is_longer or strikes > cd.strikes or both ~= cd.keys then
                    cd.keys = both
                    if is_longer then cd.stop, cd.reason = stop, reason end
                    cd.strikes = max(cd.strikes, strikes)
                    cd.token, cd.is_told = c.epoch, true
                end
            elseif is_stranger or stop > now then
                -- One that has ended by a memory of this very life may have been cleared since.
                c.cd[scope] = {stop = stop, token = c.epoch, strikes = strikes, reason = reason, since = now,
                    attempts = '', is_told = true, keys = keys}
            end
        end
        -- Each witness may know of later tokens: a call begun before a cooldown must not clear it.
        if now < c.open_at then
            for _, scope in ipairs(SCOPES) do
                local cd = c.cd[scope]
                if cd and cd.is_told then cd.token = c.epoch end
            end
        end

        if ARGV[15] ~= '' then
            local age = max(0, tonumber(ARGV[18]))
            local is_known = age >= lease
            for _, f in ipairs(c.flights) do is_known = is_known or f.attempt == ARGV[15] end
            if not is_known then
                table.insert(c.flights, {attempt = ARGV[15], token = tonumber(ARGV[16]), resource = ARGV[17],
                    holder = holder, ['end'] = now + lease - age, month = month_name(month_of(now - age)),
                    lease = lease, interval = 0})
            end
        end

        -- Calls made while the store was away, as a running total: told twice, counted once.
        local more = {}
        if ARGV[19] == c.month then
            local name = 'offline:' .. holder
            local known = not was_broken and redis.call('HGET', control_key, name) or ''
            local month, n = string.match(known, '^(%S+) (%d+)$')
            local told_before = month == c.month and whole(n) or 0
            local calls = min(tonumber(ARGV[20]), MOST)
            if calls > told_before then
                c.used, c.away = c.used + calls - told_before, c.away + calls - told_before
                more = {name, c.month .. ' ' .. text(calls)}
            end
        end

        if was_broken then redis.call('DEL', control_key) end
        save(c, redis.call, more)
        mirror(c, KEYS[2])
        local key = 2
        while ARGV[place + 1] do
            local s = {id = ARGV[place + 2], token = tonumber(ARGV[place + 3]),
                fetched_at = tonumber(ARGV[place + 4]), data_time = tonumber(ARGV[place + 5]),
                source = ARGV[place + 6], keep = tonumber(ARGV[place + 7]), body = ARGV[place + 9]}
            local stored, is_garbage = read_snapshot(KEYS[key + 1], false)
            stored = unpurged(c, stored)
            if s.token > c.purged and beats(s, stored) then
                write_snapshot(KEYS[key + 1], is_garbage, s)
                archive(ARGV[place + 1], s, tonumber(ARGV[place + 8]), tonumber(ARGV[place + 10]))
            end
            key, place = key + 2, place + 10
        end
        return {'done', {text(c.open_at), told_archive()}, shadow(c)}
        """#
}
