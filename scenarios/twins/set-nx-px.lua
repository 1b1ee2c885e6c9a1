-- SET takes the lock and sets its end at once; DEL gives it back.
local redis = require "resty.redis"
local function server() local r = redis:new() r:connect("127.0.0.1", 6379) return r end

return {
  ttl = "4s",
  acquire = function(key, params)
    local ok, why = server():set(key, "locked", "NX", "PX", params.ttl * 1000)
    if ok == ngx.null then return false, "taken" end
    return ok, why
  end,
  release = function(key)
    local deleted = server():del(key)
    return deleted and deleted == 1
  end,
}
