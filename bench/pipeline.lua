-- Sends the same request as often as the first argument says before it reads an answer.
local whole

init = function(arguments)
   local parts = {}
   for i = 1, tonumber(arguments[1]) do parts[i] = wrk.format() end
   whole = table.concat(parts)
end

request = function() return whole end
