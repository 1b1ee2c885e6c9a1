-- require "resty.redis" (lua-resty-redis, README): connections to the servers of the simulation, which listen
-- at 127.0.0.1:6379, 6380 and so on.
local host, loop, null = ...
local floor, tostring, type, error, unpack = math.floor, tostring, type, error, unpack
local connections = 0

-- Commands after which a connection is not like another: it waits, or the server remembers something of it.
local own = {}
for name in ("subscribe psubscribe blpop brpop blmove brpoplpush bzpopmin bzpopmax multi watch"):gmatch("%S+") do
  own[name] = true
end
-- Seconds that the server may make it wait.
local function patience_of(words)
  local name = words[1]:lower()
  if name == "blmove" or name == "brpoplpush" or name:match("^b[lrz]pop") then
    return tonumber(words[#words]) or 0
  end
end

local redis = {_VERSION = "0.30"}
local meta = {}

local function text_of(argument)
  if type(argument) == "number" and argument == floor(argument) and argument > -1e15 and argument < 1e15 then
    return ("%.0f"):format(argument)
  end
  return tostring(argument)
end

local function value_of(kind, value)
  if kind == "nil" then return null end
  if kind == "error" then return false, value end
  if kind ~= "array" then return value end
  local values = {}
  for i, part in ipairs(value) do
    local one, problem = value_of(part[1], part[2])
    values[i] = problem and {false, problem} or one
  end
  return values
end

function redis.new()
  return setmetatable({_is_open = false, _timeout = 0, _channels = 0}, meta)
end
function redis:set_timeout(ms) self._timeout = ms end
function redis:set_timeouts(_, _, read_ms) self._timeout = read_ms end
function redis:connect(address, port, options)
  if type(address) ~= "string" then error("bad argument #1 host: string expected, got " .. type(address), 2) end
  if address:sub(1, 5) == "unix:" then host.missing("resty.redis over a unix socket") end
  port = tonumber(port) or error("bad argument #2 port: number expected, got " .. type(port), 2)
  if options and options.ssl then host.missing("TLS of resty.redis") end
  if not host.has_server(port - 6379) or not (address == "127.0.0.1" or address == "localhost") then
    return nil, "connection refused"
  end
  self._server, self._is_open, self._connection = port - 6379, true, 0
  return 1
end
local function hang_up(self)
  if self._connection ~= 0 then host.emit("hang-up", loop.party(), self._connection) end
  self._is_open, self._connection = false, 0
end
function redis:close()
  if not self._is_open then return nil, "closed" end
  hang_up(self)
  return 1
end
function redis:set_keepalive()
  if not self._is_open then return nil, "closed" end
  if self._channels > 0 then return nil, "subscribed state" end
  hang_up(self)
  return 1
end
function redis:get_reused_times() return self._is_open and 0 or nil end
function redis:select(index)
  if tonumber(index) ~= 0 then host.missing("SELECT of another database than 0") end
  return "OK"
end
function redis:auth() return "OK" end
function redis:init_pipeline() self._batch = {} end
function redis:cancel_pipeline() self._batch = nil end

-- `turn`: how many answers are read before its own, each with the timeout.
local function begin(self, words, turn)
  local name = words[1]:lower()
  if own[name] and self._connection == 0 then
    connections = connections + 1
    self._connection = connections
  end
  local id = loop.new_id()
  local wait = patience_of(words)
  host.emit("send", loop.party(), id, self._server, self._connection,
            wait and (wait == 0 and -1 or floor(wait * 1e6)) or 0, floor(self._timeout * 1000) * (turn or 1),
            unpack(words))
  return id
end
-- `is_next`: another answer was read before, and the time for this one begins now.
local function receive(self, id, is_next)
  local over = is_next and self._timeout > 0 and not loop.is_told(id) and loop.new_id()
  if over then host.emit("sleep", loop.party(), over, floor(self._timeout * 1000)) end
  local which, kind, value = loop.wait(id, over or nil)
  if over then host.emit("drop", loop.party(), which == id and over or id) end
  if kind == "lost" or which == over then
    hang_up(self)
    host.doubt()
    return nil, "timeout"
  end
  return value_of(kind, value)
end

local function perform(self, ...)
  local words = {...}
  for i = 1, select("#", ...) do words[i] = text_of(words[i]) end
  if self._batch then
    self._batch[#self._batch + 1] = words
    return
  end
  if not self._is_open then return nil, "closed" end
  return receive(self, begin(self, words))
end
-- All leave, and then all answers are read; over a connection that waits or remembers, one after the other.
function redis:commit_pipeline()
  local batch = self._batch or error("no pipeline", 2)
  self._batch = nil
  if #batch == 0 then return {} end
  if not self._is_open then return nil, "closed" end
  local ids, values, in_turn = {}, {}, self._connection ~= 0
  for _, words in ipairs(batch) do in_turn = in_turn or own[words[1]:lower()] end
  for i, words in ipairs(in_turn and {} or batch) do ids[i] = begin(self, words, i) end
  for i, words in ipairs(batch) do
    local value, problem = receive(self, ids[i] or begin(self, words), ids[i] and i > 1)
    if value == nil then return nil, problem end
    values[i] = value == false and {false, problem} or value
  end
  return values
end

local function subscribing(name, by)
  return function(self, ...)
    local value, problem = perform(self, name, ...)
    if not value then return nil, problem end
    self._channels = self._channels + by
    return value
  end
end
redis.subscribe, redis.psubscribe = subscribing("subscribe", 1), subscribing("psubscribe", 1)
redis.unsubscribe, redis.punsubscribe = subscribing("unsubscribe", -1), subscribing("punsubscribe", -1)
-- The next message of a channel.
function redis:read_reply()
  if self._channels == 0 then return nil, "not subscribed" end
  local id = loop.new_id()
  host.emit("send", loop.party(), id, self._server, self._connection,
            self._timeout > 0 and floor(self._timeout * 1000) or -1, 0)
  local _, kind, value = loop.wait(id)
  if kind == "nil" or kind == "lost" then return nil, "timeout" end
  return value_of(kind, value)
end

function redis:hmset(key, ...)
  local first = ...
  if select("#", ...) ~= 1 or type(first) ~= "table" then return perform(self, "hmset", key, ...) end
  local words = {}
  for field, value in host.pairs(first) do
    words[#words + 1] = field
    words[#words + 1] = value
  end
  return perform(self, "hmset", key, unpack(words))
end
function redis:array_to_hash(list)
  local hash = {}
  for i = 1, #list, 2 do hash[list[i]] = list[i + 1] end
  return hash
end
function redis.add_commands() end
function redis.register_module_prefix() host.missing("resty.redis.register_module_prefix()") end

meta.__index = function(_, name)
  if redis[name] ~= nil then return redis[name] end
  if type(name) ~= "string" or name:sub(1, 1) == "_" then return nil end
  return function(self, ...) return perform(self, name:upper(), ...) end
end
return redis
