-- getset.lua: the same lock as getset.cpp, written for OpenResty. The value is the time at which the lease ends.
local redis = require "resty.redis"

local function connect()
  local red = redis:new()
  red:connect("127.0.0.1", 6379)
  return red
end

local function now_ms()
  ngx.update_time()
  return math.floor(ngx.now() * 1000 + 0.5)
end

local lock = {
  twin_of = "getset",
  summary = "SETNX of the time at which the lease ends; a client that finds it past takes it with GETSET; DEL",
  source = "document 004, way two",
  ttl = "1s",
  stateless = true,
  beliefs = {"until-release", "deadline-from-request"},
}

local function granted(expiry) return ("%d"):format(expiry), {lease_until = expiry / 1000} end

function lock.acquire(key, params)
  local red = connect()
  local expiry = now_ms() + math.floor(params.ttl * 1000)
  local created, err = red:setnx(key, expiry)
  if not created then return nil, "failed to setnx lock: " .. err end
  if created == 1 then return granted(expiry) end

  local current
  current, err = red:get(key)
  if not current then return nil, "failed to get lock: " .. err end
  if current == ngx.null then return false, "lock is not expired." end
  if not tonumber(current) then return nil, "failed to get lock: its value is not a time" end
  if tonumber(current) >= now_ms() then return false, "lock is not expired." end

  local previous
  previous, err = red:getset(key, expiry)
  if not previous then return nil, "failed to getset lock: " .. err end
  if previous ~= current then return false, "lock is taken by others." end
  return granted(expiry)
end

function lock.release(key)
  local red = connect()
  local deleted = red:del(key)
  if not deleted then return nil end
  red:set_keepalive(10000, 100)
  return deleted == 1
end

return lock
