/// The part of every script that knows which kinds of resources upstream refuses to which key.
///
/// The same as `ControlRecord+refusals`.
enum ScriptsRefusals {
    static let source = #"""
        local REFUSED_KEPT = 32
        local function refusal_kind(name) return string.sub(name, 1, 5) == 'year:' and 'history' or name end
        local function read_refused(s)
            if not s then return {} end
            local list = decoded(s)
            if not list or (#list == 0 and next(list) ~= nil) then return nil end
            for _, r in ipairs(list) do
                if type(r) ~= 'table' or type(r.kind) ~= 'string' or type(r.key) ~= 'string'
                    or not is_whole(r['end']) or not is_whole(r.strikes) or not is_whole(r.token) then
                    return nil
                end
            end
            return list
        end
        local function refused_text(list)
            if #list == 0 then return nil end
            local parts = {}
            for i, r in ipairs(list) do
                parts[i] = '{"kind":' .. cjson.encode(r.kind) .. ',"key":' .. cjson.encode(r.key) .. ',"end":'
                    .. text(r['end']) .. ',"strikes":' .. text(r.strikes) .. ',"token":' .. text(r.token) .. '}'
            end
            return '[' .. table.concat(parts, ',') .. ']'
        end
        local function refusal_of(c, key)
            for i, r in ipairs(c.refused) do
                if r.kind == refusal_kind(resource) and r.key == key then return r, i end
            end
        end
        -- The end of the pause, or nil if this report was taken before.
        local function note_refusal(c, token, key)
            local r = refusal_of(c, key)
            if r and token <= r.token then return nil end
            if not r then
                r = {kind = refusal_kind(resource), key = key, ['end'] = 0, strikes = 0, token = -1}
                table.insert(c.refused, r)
            end
            r.strikes, r.token = r.strikes + 1, token
            r['end'] = max(r['end'], now + min(HOUR * 2 ^ min(r.strikes - 1, 5), DAY))
            if #c.refused > REFUSED_KEPT then table.remove(c.refused, 1) end
            return r['end']
        end
        local function clear_refusal(c, token, key)
            local r, i = refusal_of(c, key)
            if r and r.token < token then table.remove(c.refused, i) end
        end
        local function catch_up_refused(c)
            local kept = {}
            for _, r in ipairs(c.refused) do
                if r['end'] + 2 * DAY > now then
                    r['end'] = min(r['end'], now + DAY)
                    table.insert(kept, r)
                end
            end
            c.refused = kept
        end

        -- Among keys told apart by marks: whether a pause stops this one; no marks mean everybody's.
        local function has_word(list, word)
            return string.find(' ' .. list .. ' ', ' ' .. word .. ' ', 1, true) ~= nil
        end
        local function holds_for(cd, key) return cd.keys == '' or has_word(cd.keys, key) end
        local function newest_words(list)
            return table.concat(list, ' ', max(1, #list - 7))
        end
        local function words(s)
            local list = {}
            for one in string.gmatch(s, '%S+') do table.insert(list, one) end
            return list
        end
        """#
}
