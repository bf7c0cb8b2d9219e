/// What all scripts begin with: the numbers, the calendar, and the control read, checked, brought up to the present,
/// told and written.
///
/// Numbers are written by `text` alone: a script's own conversion keeps 14 digits and switches to exponents. All
/// arithmetic is in whole numbers below 2^53, the same as in `ControlState`.
enum ScriptsHead {
    static let source = #"""
        local birth, floor, plan = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
        local gap, burst, permille = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
        local holder, resource = ARGV[7], ARGV[8]
        local control_key = KEYS[1]
        local HOUR, DAY = 3600000, 86400000
        local EDGE = 5000
        local MOST = 1000000000
        local PLAN_KEPT, PLAN_TOLD, PLANS = 10000, 8000, 4
        local SCOPES = {'short', 'month', 'key'}
        local LONGEST = {short = HOUR, month = 32 * DAY, key = HOUR}
        local garbage = 0

        local min, max, down = math.min, math.max, math.floor
        local function text(n) return string.format('%.0f', n) end
        local function whole(s)
            if type(s) == 'string' and #s <= 15 and string.match(s, '^%d+$') then return tonumber(s) end
        end
        local function is_whole(n)
            return type(n) == 'number' and n >= -1 and n < 1000000000000000 and n == down(n)
        end

        local function decoded(s)
            local ok, value = pcall(cjson.decode, s)
            if ok and type(value) == 'table' then return value end
        end

        -- Months are counted from March of the year 0, so that a leap day is a year's last day.
        local function first_day(month)
            local year = down(month / 12)
            local leap = down(year / 4) - down(year / 100) + down(year / 400)
            return 365 * year + leap + down((153 * (month - 12 * year) + 2) / 5) - 719468
        end
        local function month_of(instant)
            local day = down(instant / DAY)
            local month = down((day + 719468) * 4800 / 146097)
            while first_day(month) > day do month = month - 1 end
            while first_day(month + 1) <= day do month = month + 1 end
            return month
        end
        local function month_name(month)
            local year = down((month + 2) / 12)
            return string.format('%04d-%02d', year, month + 2 - 12 * year + 1)
        end
        local function month_start(month) return first_day(month) * DAY end
        local function is_month(s) return type(s) == 'string' and string.match(s, '^%d%d%d%d%-[01]%d$') ~= nil end
        local function iso(instant)
            local month = month_of(instant)
            local day = down(instant / DAY)
            local second = down((instant - day * DAY) / 1000)
            return string.format('%s-%02dT%02d:%02d:%02dZ', month_name(month), day - first_day(month) + 1,
                down(second / 3600), down(second / 60) % 60, second % 60)
        end
        local this_month = month_of(now)
        local reset = month_start(this_month + 1)
        -- The first instant after the month's edge, and whether the boundary is still to come; or nil.
        local function edge()
            if now - month_start(this_month) <= EDGE then return month_start(this_month) + EDGE + 1, false end
            if reset - now <= EDGE then return reset + EDGE + 1, true end
        end

        local function stamp_here()
            local id = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
            local replid = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)')
            return (id or '') .. '.' .. (replid or '')
        end

        -- One comparison for all: a higher token, and a data time that doesn't go back within one class.
        local function beats(a, b)
            if not b then return true end
            if a.token <= b.token then return false end
            return a.source ~= b.source or a.data_time >= b.data_time
        end

        -- A snapshot that can't be read is a missing one; `is_garbage` lets a newer one replace it.
        local function read_snapshot(key, with_body)
            local raw = redis.pcall('HMGET', key, 'schema', 'id', 'token', 'fetched_at', 'data_time', 'source',
                with_body and 'body' or 'schema')
            if raw.err then
                garbage = garbage + 1
                return nil, true
            end
            local is_missing = true
            for i = 1, 7 do if raw[i] then is_missing = false end end
            if is_missing then
                if redis.call('EXISTS', key) == 0 then return nil, false end
                garbage = garbage + 1
                return nil, true
            end
            local id, token = raw[2], whole(raw[3])
            local fetched_at, data_time = whole(raw[4]), whole(raw[5])
            local is_named = id and #id == 19 and string.sub(id, 11, 11) == '-'
                and string.match(id, '^[0-9A-HJKMNP-TV-Z]+%-[0-9a-f]+$')
            local has_body = raw[7] and (with_body or redis.call('HEXISTS', key, 'body') == 1)
            if raw[1] ~= '1' or not is_named or not token or not fetched_at or not data_time or not raw[6]
                or not has_body then
                garbage = garbage + 1
                return nil, true
            end
            return {id = id, token = token, fetched_at = fetched_at, data_time = data_time, source = raw[6],
                body = raw[7], keep = max(1, redis.call('PTTL', key))}, false
        end
        local function told_snapshot(s)
            return {s.id, text(s.token), text(s.fetched_at), text(s.data_time), s.source, text(s.keep), s.body}
        end
        local function write_snapshot(key, is_garbage, s)
            if is_garbage then redis.call('DEL', key) end
            redis.call('HSET', key, 'schema', '1', 'id', s.id, 'token', text(s.token), 'fetched_at',
                text(s.fetched_at), 'data_time', text(s.data_time), 'source', s.source, 'body', s.body)
            redis.call('PEXPIRE', key, text(max(1, s.keep)))
        end
        """#
}
