/// Keeps a snapshot to be asked for again, within a number of bytes: a part of the scripts that accept snapshots.
///
/// The same decisions as `SnapshotArchive`'s. Names beyond the declared ones are made from the control's, so they are in
/// its slot. The order has a member `<id> <bytes> <resource>` with the end of its time; the times of a resource have its
/// ids by fetched-at (an amended one by when it was amended), and `-<id>` from where on it isn't known any more what was the newest. Entered before its body is
/// written: what may get lost is a body, never its place in the sum.
enum ScriptsArchive {
    static let source = #"""
        local ARCHIVE_DROPS = 256
        local ARCHIVE_KEPT = 400 * DAY
        local function is_gap(member) return string.sub(member, 1, 1) == '-' end

        -- Where a snapshot is taken out from behind one that stays, a gap is left in its place.
        local function forget_time(times, id)
            local rank = redis.call('ZRANK', times, id)
            if not rank then return end
            local from = redis.call('ZSCORE', times, id)
            local before = rank > 0 and redis.call('ZRANGE', times, rank - 1, rank - 1)[1]
            local after = redis.call('ZRANGE', times, rank + 1, rank + 1)[1]
            redis.call('ZREM', times, id)
            if after and is_gap(after) then redis.call('ZREM', times, after) end
            if before and not is_gap(before) then redis.call('ZADD', times, from, '-' .. id) end
        end
        -- From here on one was the newest that isn't kept.
        local function skip_time(times, from, id)
            local gap = '-' .. id
            redis.call('ZADD', times, text(from), gap)
            local rank = redis.call('ZRANK', times, gap)
            local before = rank > 0 and redis.call('ZRANGE', times, rank - 1, rank - 1)[1]
            local after = redis.call('ZRANGE', times, rank + 1, rank + 1)[1]
            if not before or is_gap(before) then
                redis.call('ZREM', times, gap)
            elseif after and is_gap(after) then
                redis.call('ZREM', times, after)
            end
        end

        local function archived_bytes(order, bytes_key)
            local total = whole(redis.call('GET', bytes_key))
            local members = not total and redis.call('ZRANGE', order, 0, -1)
            if not members then return redis.call('EXISTS', order) == 1 and total or 0 end
            total = 0
            for _, member in ipairs(members) do
                total = total + (tonumber(string.match(member, ' (%d+) ')) or 0)
            end
            return total
        end
        local function put_archived(news, name, s, kept, most)
            local prefix = string.match(control_key, '^(.-}:)')
            local key, order = prefix .. 'archive:' .. s.id, prefix .. 'archive-order'
            local bytes_key, times = prefix .. 'archive-bytes', prefix .. 'archive-times:' .. name
            local total, size, steps = archived_bytes(order, bytes_key), #s.body, 0
            local lifetime = text(ARCHIVE_KEPT)
            local function first() return unpack(redis.call('ZRANGE', order, 0, 0, 'WITHSCORES')) end
            -- The body first: it may lie on another node while a slot moves, and then nothing has changed.
            local function drop(member)
                local id, bytes, of = string.match(member, '^([0-9A-HJKMNP-TV-Z]+%-[0-9a-f]+) (%d+) (%S+)$')
                if id then redis.call('DEL', prefix .. 'archive:' .. id) end
                redis.call('ZREM', order, member)
                total = max(0, total - (tonumber(bytes) or 0))
                redis.call('SET', bytes_key, text(total), 'PX', lifetime)
                steps = steps + 1
                if id then forget_time(prefix .. 'archive-times:' .. of, id) end
            end
            local member, stop = first()
            while steps < ARCHIVE_DROPS and member and tonumber(stop) <= now do
                drop(member)
                member, stop = first()
            end
            news.bytes = total
            if redis.call('EXISTS', key) == 1 then return end
            while steps < ARCHIVE_DROPS and size <= most and total + size > most and member do
                drop(member)
                news.dropped = news.dropped + 1
                member, stop = first()
            end
            if total + size > most then
                news.refused = news.refused + 1
                skip_time(times, s.from or s.fetched_at, s.id)
            else
                stop = text(now + kept)
                local is_new = redis.call('ZADD', order, stop, s.id .. ' ' .. text(size) .. ' ' .. name) == 1
                redis.call('PEXPIRE', order, lifetime)
                if is_new then total = total + size end
                redis.call('SET', bytes_key, text(total), 'PX', lifetime)
                redis.call('ZADD', times, text(s.from or s.fetched_at), s.id)
                redis.call('HSET', key, 'schema', '1', 'resource', name, 'id', s.id, 'token', text(s.token),
                    'fetched_at', text(s.fetched_at), 'data_time', text(s.data_time), 'source', s.source,
                    'end', stop, 'body', s.body)
                redis.call('PEXPIRE', key, text(kept))
            end
            redis.call('PEXPIRE', times, lifetime)
            news.bytes = total
        end
        -- Nothing else may fail for it.
        local archive_news = {bytes = 0, dropped = 0, refused = 0}
        local function archive(name, s, kept, most)
            if kept <= 0 then return end
            local is_done, fault = pcall(put_archived, archive_news, name, s, kept, most)
            if is_done then return end
            archive_news.refused = archive_news.refused + 1
            local reason = type(fault) == 'table' and fault.err or fault
            if type(reason) ~= 'string' or not string.find(reason, 'WRONGTYPE') then return end
            -- Somebody else's data stands there: the index begins anew.
            local prefix = string.match(control_key, '^(.-}:)')
            redis.pcall('DEL', prefix .. 'archive-order', prefix .. 'archive-bytes',
                prefix .. 'archive-times:' .. name, prefix .. 'archive:' .. s.id)
        end
        local function told_archive()
            return text(archive_news.bytes), text(archive_news.dropped), text(archive_news.refused)
        end
        """#
}
