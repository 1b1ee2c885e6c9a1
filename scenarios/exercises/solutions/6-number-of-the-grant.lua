-- Exercise 6, solved: one script takes the lock and its number.
local redis = require "resty.redis"

local function server()
  local r = redis:new()
  r:connect("127.0.0.1", 6379)
  return r
end

local take = [[
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return redis.call('INCR', KEYS[2]) end
return 0]]

return {
  ttl = "4s",
  acquire = function(key, params)
    local r = server()
    local token = tostring(math.random(1e9))
    local fence, why = r:eval(take, 2, key, key .. ":fence", token, params.ttl * 1000)
    if not fence then return nil, why end
    if fence == 0 then return false, "taken" end
    return token, fence
  end,
  release = function(key, token)
    local r = server()
    local deleted = r:eval("if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0",
      1, key, token)
    if not deleted then return nil end
    return deleted == 1
  end,
}
