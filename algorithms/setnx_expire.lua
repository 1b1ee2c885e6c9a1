-- setnx_expire.lua: the same lock as setnx_expire.cpp, written for OpenResty.
local redis = require "resty.redis"

local function connect()
  local red = redis:new()
  red:connect("127.0.0.1", 6379)
  return red
end

local lock = {
  twin_of = "setnx-expire",
  summary = "SETNX, then EXPIRE; DEL",
  source = "document 004, way one",
  ttl = "1s",
  stateless = true,
  beliefs = {"until-release", "deadline-from-request", "deadline-from-reply"},
}

function lock.acquire(key, params)
  local red = connect()
  local created, err = red:setnx(key, "1234")
  if not created then return nil, "failed to setnx lock: " .. err end
  if created ~= 1 then return false, "lock already exists." end
  local expiring
  expiring, err = red:expire(key, math.floor(params.ttl))
  -- 0, for a key that is gone, is true in Lua.
  if not expiring then return nil, "failed to expire lock: " .. err end
  red:set_keepalive(10000, 100)
  return "1234"
end

function lock.release(key)
  local red = connect()
  local deleted = red:del(key)
  if not deleted then return nil end
  red:set_keepalive(10000, 100)
  return deleted == 1
end

return lock
