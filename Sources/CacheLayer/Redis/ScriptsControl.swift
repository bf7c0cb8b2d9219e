/// The part of every script that reads the control and writes it back.
///
/// A control that can't be read as a whole counts as missing: unknown, never empty.
enum ScriptsControl {
    static let source = #"""
        local PACE = 'res:' .. resource
        local FIELDS = {'stamp', 'birth', 'open_at', 'grace', 'epoch', 'month', 'used', 'carry', 'plan', 'tat',
            'flights', 'slow', 'away', 'told', 'external', 'most', 'purged', 'refused', 'plans', 'cd:short',
            'cd:month', 'cd:key', PACE}
        local before = {}
        local is_broken = false

        local function read_flights(s)
            local list = s and decoded(s)
            if not list or (#list == 0 and next(list) ~= nil) then return nil end
            for _, f in ipairs(list) do
                if type(f) ~= 'table' or type(f.attempt) ~= 'string' or type(f.resource) ~= 'string'
                    or type(f.holder) ~= 'string' or not is_month(f.month) or not is_whole(f.token)
                    or not is_whole(f['end']) or not is_whole(f.lease) or not is_whole(f.interval) then
                    return nil
                end
                f.is_settled = f.settled == 1
            end
            return list
        end
        local function read_cooldown(s)
            local cd = decoded(s)
            if cd and is_whole(cd['end']) and is_whole(cd.token) and is_whole(cd.strikes) and is_whole(cd.since)
                and type(cd.reason) == 'string' and type(cd.attempts) == 'string' then
                return {stop = cd['end'], token = cd.token, strikes = cd.strikes, since = cd.since,
                    reason = cd.reason, attempts = cd.attempts, is_told = cd.told == 1,
                    keys = type(cd.keys) == 'string' and cd.keys or ''}
            end
        end
        local function read_pace(s)
            local pace = decoded(s)
            if pace and is_whole(pace.next_at) and is_whole(pace.strikes) and is_whole(pace.token)
                and is_whole(pace.failed) then
                return pace
            end
        end
        -- Unreadable ones are left out: whoever asks tells his again.
        local function read_plans(s)
            local plans = {}
            for calls, stop in string.gmatch(s or '', '(%d+):(%d+)') do
                if whole(calls) and whole(stop) then
                    table.insert(plans, {calls = whole(calls), stop = whole(stop)})
                end
            end
            return plans
        end
        local function plans_text(plans)
            local parts = {}
            for i, p in ipairs(plans) do parts[i] = text(p.calls) .. ':' .. text(p.stop) end
            return #parts > 0 and table.concat(parts, ' ') or nil
        end
        local function read_control()
            local raw = redis.pcall('HMGET', control_key, unpack(FIELDS))
            if raw.err then
                is_broken = true
                return nil
            end
            local is_missing = true
            for i, name in ipairs(FIELDS) do
                before[name] = raw[i] or nil
                if raw[i] then is_missing = false end
            end
            if is_missing then
                is_broken = redis.call('EXISTS', control_key) == 1
                return nil
            end
            is_broken = true
            local c = {stamp = before.stamp, birth = before.birth, open_at = whole(before.open_at),
                grace = whole(before.grace), epoch = whole(before.epoch), month = before.month,
                used = whole(before.used), carry = whole(before.carry), tat = whole(before.tat),
                flights = read_flights(before.flights), refused = read_refused(before.refused), cd = {},
                plans = read_plans(before.plans)}
            if not c.stamp or not c.birth or c.birth == '' or not c.open_at or not c.grace or not c.epoch
                or not is_month(c.month) or not c.used or not c.carry or not c.tat or not c.flights
                or not c.refused then
                return nil
            end
            for _, name in ipairs({'plan', 'away', 'told', 'external', 'most', 'purged'}) do
                if before[name] then
                    c[name] = whole(before[name])
                    if not c[name] then return nil end
                end
            end
            if before.slow then
                local level, since = string.match(before.slow, '^([1-3]):(%d+)$')
                if not whole(since) then return nil end
                c.slow = {level = tonumber(level), since = whole(since)}
            end
            for _, scope in ipairs(SCOPES) do
                local s = before['cd:' .. scope]
                if s then
                    c.cd[scope] = read_cooldown(s)
                    if not c.cd[scope] then return nil end
                end
            end
            if before[PACE] then
                -- One resource's back-off is worth no new life: unreadable, it is written anew.
                c.pace = read_pace(before[PACE])
                if not c.pace then garbage = garbage + 1 end
            end
            c.away, c.external, c.purged = c.away or 0, c.external or 0, c.purged or 0
            is_broken = false
            return c
        end
        local function lost(c)
            return not c or c.stamp ~= stamp_here() or c.birth ~= birth or floor > c.epoch
        end

        local function reserved(c)
            local n = 0
            for _, f in ipairs(c.flights) do
                if f.month == c.month and not f.is_settled then n = n + 1 end
            end
            return n
        end
        -- Forward only. What is open, and what ended in the edge, counts in both months.
        local function roll(c, month)
            if month <= c.month then return end
            c.used = c.carry + reserved(c)
            c.carry, c.month, c.away, c.external = 0, month, 0, 0
            c.plan, c.told, c.most = nil, nil, nil
        end
        -- Who asks has this plan: it holds for all a while longer. The smallest few are kept.
        local function note_plan(c)
            local kept, mine = {}, nil
            for _, p in ipairs(c.plans) do
                p.stop = min(p.stop, now + PLAN_KEPT)
                if p.stop > now then
                    table.insert(kept, p)
                    if p.calls == plan then mine = p end
                end
            end
            if not mine then
                mine = {calls = plan, stop = 0}
                table.insert(kept, mine)
            end
            if mine.stop < now + PLAN_TOLD then mine.stop = now + PLAN_KEPT end
            table.sort(kept, function(a, b) return a.calls < b.calls end)
            while #kept > PLANS do table.remove(kept) end
            c.plans = kept
        end
        -- An end farther away than it can be means that the clock jumped back: cut, or the fleet stands still.
        local function catch_up(c)
            roll(c, month_name(this_month))
            note_plan(c)
            c.open_at = min(c.open_at, now + c.grace)
            c.tat = min(c.tat, now + gap * burst)
            for _, f in ipairs(c.flights) do f['end'] = min(f['end'], now + f.lease) end
            for _, scope in ipairs(SCOPES) do
                local cd = c.cd[scope]
                if cd then cd.stop = min(cd.stop, now + LONGEST[scope]) end
            end
            catch_up_refused(c)
            if c.slow then c.slow.since = min(c.slow.since, now + HOUR) end
        end

        -- While instances differ, the smallest of their plans holds for all.
        local function limit(c)
            return min(plan, c.plans[1].calls, c.plan or plan, c.most and c.most + c.external or plan)
        end
        -- A snapshot from before all were dropped is a missing one.
        local function unpurged(c, stored)
            if stored and stored.token > c.purged then return stored end
        end
        local function slow_level(c)
            if not c.slow then return 0 end
            if now <= c.slow.since then return c.slow.level end
            return max(0, c.slow.level - down((now - c.slow.since) / HOUR))
        end
        -- By no more than the time that the slow-down lasts.
        local function lengthened(c, interval)
            if not c.slow then return interval end
            local rest = max(0, c.slow.since + c.slow.level * HOUR - now)
            return min(interval * 2 ^ slow_level(c), interval + rest)
        end
        -- The interval that a grant would begin now; nil where the plan is used up.
        local function interval_now(c, least)
            local left = limit(c) - c.used
            if left <= 0 then return nil end
            local share = left * permille
            return lengthened(c, max(least, down(((reset - now) * 1000 + share - 1) / share)))
        end
        -- Counts a failed fetch, unless a newer one was begun or it was counted before.
        local function note_failure(c, token, at, longest)
            local pace = c.pace or {next_at = 0, strikes = 0, token = 0, failed = 0}
            if token < pace.token or token <= pace.failed then return nil end
            pace.strikes = pace.strikes + 1
            pace.token, pace.failed = token, token
            local pause = min(1000 * 2 ^ min(pace.strikes - 1, 30), max(longest, 1000))
            pace.next_at = at + pause + down(pause * (token % 51) / 1000)
            c.pace = pace
            return pace.next_at
        end

        local function shadow(c)
            local told = {text(now), c.birth, text(c.epoch), c.month, text(c.used), text(reserved(c)),
                text(limit(c)), c.pace and text(c.pace.next_at) or '', text(garbage), text(c.purged), text(c.external),
                text(slow_level(c))}
            for _, scope in ipairs(SCOPES) do
                local cd = c.cd[scope]
                if cd then
                    table.insert(told, scope)
                    table.insert(told, text(max(0, cd.stop - now)))
                    table.insert(told, text(cd.strikes))
                    table.insert(told, cd.reason)
                    table.insert(told, cd.keys)
                end
            end
            for _, r in ipairs(c.refused) do
                table.insert(told, 'refused')
                table.insert(told, text(max(0, r['end'] - now)))
                table.insert(told, text(r.strikes))
                table.insert(told, r.kind)
                table.insert(told, r.key)
            end
            for _, f in ipairs(c.flights) do
                if f['end'] > now then
                    table.insert(told, f.is_settled and 'slot' or 'flight')
                    table.insert(told, text(f['end'] - now))
                    table.insert(told, text(f.token))
                    table.insert(told, f.resource)
                    table.insert(told, f.holder)
                end
            end
            return told
        end

        local function flights_text(list)
            local parts = {}
            for i, f in ipairs(list) do
                parts[i] = '{"attempt":' .. cjson.encode(f.attempt) .. ',"token":' .. text(f.token)
                    .. ',"resource":' .. cjson.encode(f.resource) .. ',"holder":' .. cjson.encode(f.holder)
                    .. ',"end":' .. text(f['end']) .. ',"month":"' .. f.month .. '","lease":' .. text(f.lease)
                    .. ',"interval":' .. text(f.interval) .. (f.is_settled and ',"settled":1' or '') .. '}'
            end
            return '[' .. table.concat(parts, ',') .. ']'
        end
        local function written(c)
            local after = {stamp = c.stamp, birth = c.birth, open_at = text(c.open_at), grace = text(c.grace),
                epoch = text(c.epoch), month = c.month, used = text(c.used), carry = text(c.carry),
                plan = c.plan and text(c.plan), tat = text(c.tat), flights = flights_text(c.flights),
                slow = c.slow and c.slow.level .. ':' .. text(c.slow.since), told = c.told and text(c.told),
                away = (c.away > 0 or before.away) and text(c.away) or nil,
                external = c.external > 0 and text(c.external) or nil, most = c.most and text(c.most),
                purged = c.purged > 0 and text(c.purged) or nil, refused = refused_text(c.refused),
                plans = plans_text(c.plans)}
            for _, scope in ipairs(SCOPES) do
                local cd = c.cd[scope]
                if cd then
                    after['cd:' .. scope] = '{"end":' .. text(cd.stop) .. ',"token":' .. text(cd.token)
                        .. ',"strikes":' .. text(cd.strikes) .. ',"reason":' .. cjson.encode(cd.reason)
                        .. ',"since":' .. text(cd.since) .. ',"attempts":' .. cjson.encode(cd.attempts)
                        .. (cd.is_told and ',"told":1' or '')
                        .. (cd.keys ~= '' and ',"keys":' .. cjson.encode(cd.keys) or '') .. '}'
                end
            end
            if c.pace then
                after[PACE] = '{"next_at":' .. text(c.pace.next_at) .. ',"strikes":' .. text(c.pace.strikes)
                    .. ',"token":' .. text(c.pace.token) .. ',"failed":' .. text(c.pace.failed) .. '}'
            end
            return after
        end
        -- What has changed, in one HSET; `run` is redis.call, or redis.pcall where nothing depends on it.
        local function save(c, run, more)
            local after = written(c)
            local put, gone = more or {}, {}
            for _, name in ipairs(FIELDS) do
                if after[name] and after[name] ~= before[name] then
                    table.insert(put, name)
                    table.insert(put, after[name])
                elseif not after[name] and before[name] then
                    table.insert(gone, name)
                end
            end
            if #put > 0 then run('HSET', control_key, unpack(put)) end
            if #gone > 0 then run('HDEL', control_key, unpack(gone)) end
        end
        -- Counts in the month's report, whose key is the one of two candidates that fits.
        local function report(first, month, kept, ...)
            for i = first, first + 1 do
                if string.sub(KEYS[i], -7) == month then
                    for _, field in ipairs({...}) do redis.pcall('HINCRBY', KEYS[i], field, 1) end
                    redis.pcall('PEXPIRE', KEYS[i], kept)
                    break
                end
            end
        end
        -- For people and other tools; no decision reads it, so nothing may fail for it.
        local function mirror(c, key)
            local last
            for _, scope in ipairs(SCOPES) do
                local cd = c.cd[scope]
                if cd and cd.stop > now and (not last or cd.stop > c.cd[last].stop) then last = scope end
            end
            if last then
                local cd = c.cd[last]
                redis.pcall('SET', key, last .. ' ' .. cd.reason .. ' until ' .. iso(cd.stop), 'PX',
                    text(cd.stop - now))
            else
                redis.pcall('DEL', key)
            end
        end
        """#
}
