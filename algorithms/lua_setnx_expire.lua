-- lua_setnx_expire.lua: the same lock as lua_setnx_expire.cpp, written for OpenResty.
local redis = require "resty.redis"

local acquire_script = [[
if redis.call('setnx',KEYS[1],ARGV[1]) == 1 then redis.call('expire',KEYS[1],ARGV[2]) return 1 else return 0 end]]

local function connect()
  local red = redis:new()
  red:connect("127.0.0.1", 6379)
  return red
end

local lock = {
  twin_of = "lua-setnx-expire",
  summary = "a script of SETNX and EXPIRE, whose 0 counts as success; DEL",
  source = "document 004, way three",
  ttl = "1s",
  stateless = true,
  beliefs = {"until-release", "deadline-from-request", "deadline-from-reply"},
}

function lock.acquire(key, params)
  local red = connect()
  -- The milliseconds, where EXPIRE takes seconds: as printed.
  local created, err = red:eval(acquire_script, 1, key, "1234", math.floor(params.ttl * 1000))
  if not created then return nil, "failed to eval script: " .. err end
  -- Another holds: 0, which is true in Lua. As printed, nobody reads it.
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
