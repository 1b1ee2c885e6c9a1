-- token.lua: the same lock as token.cpp, written for OpenResty.
local redis = require "resty.redis"
local random = require "resty.random"
local text = require "resty.string"

local release_script = [[
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end]]

local function connect()
  local red = redis:new()
  local ok, err = red:connect("127.0.0.1", 6379)
  if not ok then return nil, err end
  return red
end

local lock = {
  twin_of = "token",
  summary = "SET NX PX with a unique token; a script releases only when the token is still there",
  source = "document 004, way five; Redis documentation, \"Distributed Locks with Redis\"",
  ttl = "1s",
  stateless = true,
  beliefs = {"until-release", "deadline-from-request", "deadline-from-reply"},
}

function lock.acquire(key, params)
  local red, err = connect()
  if not red then return nil, err end
  local token = text.to_hex(random.bytes(16))
  local ok
  ok, err = red:set(key, token, "PX", math.floor(params.ttl * 1000), "NX")
  if not ok then return nil, "failed to set lock: " .. err end
  if ok == ngx.null then return false, "lock already exists." end
  red:set_keepalive(10000, 100)
  return token
end

function lock.release(key, token)
  local red = connect()
  if not red then return nil end
  local deleted = red:eval(release_script, 1, key, token)
  if not deleted then return nil end
  red:set_keepalive(10000, 100)
  return deleted == 1
end

return lock
