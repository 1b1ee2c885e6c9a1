-- The value names the holder, and a script deletes the key only if it still does.
local redis = require "resty.redis"
local function server() local r = redis:new() r:connect("127.0.0.1", 6379) return r end
local delete_if_mine = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"

return {
  ttl = "4s",
  acquire = function(key, params)
    local token = tostring(math.random(1e9))
    local ok, why = server():set(key, token, "NX", "PX", params.ttl * 1000)
    if ok == ngx.null then return false, "taken" end
    return ok and token, why
  end,
  release = function(key, token)
    local deleted = server():eval(delete_if_mine, 1, key, token)
    return deleted and deleted == 1
  end,
}
