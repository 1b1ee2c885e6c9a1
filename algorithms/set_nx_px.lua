-- set_nx_px.lua: the same lock as set_nx_px.cpp, written for OpenResty.
local redis = require "resty.redis"

local function connect()
  local red = redis:new()
  red:connect("127.0.0.1", 6379)
  return red
end

local lock = {
  twin_of = "set-nx-px",
  summary = "SET key value NX PX ttl; DEL",
  source = "document 004, way four",
  ttl = "1s",
  stateless = true,
  beliefs = {"until-release", "deadline-from-request", "deadline-from-reply"},
}

function lock.acquire(key, params)
  local red = connect()
  local ok, err = red:set(key, "1234", "PX", math.floor(params.ttl * 1000), "NX")
  if not ok then return nil, "failed to set lock: " .. err end
  if ok == ngx.null then return false, "lock already exists." end
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
