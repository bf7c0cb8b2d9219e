-- Asks for each of its arguments in turn, again and again.
local requests, place = {}, 0

init = function(arguments)
   for i, target in ipairs(arguments) do requests[i] = wrk.format("GET", target) end
end

request = function()
   place = place % #requests + 1
   return requests[place]
end
