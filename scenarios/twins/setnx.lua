-- SETNX alone: who creates the key holds the lock, and deletes it.
local redis = require "resty.redis"
local function server() local r = redis:new() r:connect("127.0.0.1", 6379) return r end

return {
  acquire = function(key)
    local created, why = server():setnx(key, "locked")
    if not created then return nil, why end
    return created == 1, "taken"
  end,
  release = function(key)
    local deleted = server():del(key)
    return deleted and deleted == 1
  end,
}
