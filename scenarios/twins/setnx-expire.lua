-- SETNX takes the lock; EXPIRE right after it gives the key its end.
local redis = require "resty.redis"
local function server() local r = redis:new() r:connect("127.0.0.1", 6379) return r end

return {
  ttl = "4s",
  acquire = function(key, params)
    local created, why = server():setnx(key, "locked")
    if not created then return nil, why end
    if created == 0 then return false, "taken" end
    server():expire(key, params.ttl)
    return true
  end,
  release = function(key)
    local deleted = server():del(key)
    return deleted and deleted == 1
  end,
}
