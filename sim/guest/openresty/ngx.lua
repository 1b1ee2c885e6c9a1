-- The table ngx (lua-nginx-module, README), and what locks require besides. Whatever is not here says so by its
-- name, and ends the run.
local host, loop, shared, redis = ...
local floor, error, type, tostring, tonumber, select = math.floor, error, type, tostring, tonumber, select
local date = os.date

-- What is not there ends the run by its name.
local function strict(name, fields)
  return setmetatable(fields, {__index = function(_, field)
    if type(field) == "string" then host.missing(name .. "." .. field) end
  end})
end

local function sleep(seconds)
  local us = floor((tonumber(seconds) or error("bad argument #1 to 'sleep' (number expected)", 2)) * 1000) * 1000
  if us < 0 then error("invalid sleep duration", 2) end
  local id = loop.new_id()
  host.emit("sleep", loop.party(), id, us)
  loop.wait(id)
end

local function now() return floor(loop.time() / 1000) / 1000 end
local function time() return floor(loop.time() / 1e6) end
local function today(format)
  return function() return date("!" .. format, time()) end
end

-- ngx.timer
local running = 0
local function timer_thread(party, us, at_end, f, ...)
  local id = loop.new_id()
  host.emit("sleep", party, id, us)
  loop.start_later(id, party, at_end, f, ...)
end
local timer = {}
function timer.at(delay, f, ...)
  if type(f) ~= "function" then error("bad argument #2 to 'at' (function expected)", 2) end
  if delay < 0 then error("delay cannot be negative", 2) end
  running = running + 1
  local function at_end() running = running - 1 end
  timer_thread(loop.party(), floor(delay * 1000) * 1000, at_end, f, false, ...)
  return 1
end
function timer.every(delay, f, ...)
  if type(f) ~= "function" then error("bad argument #2 to 'every' (function expected)", 2) end
  if delay <= 0 then error("delay cannot be negative or zero", 2) end
  local function again(...)
    timer_thread(loop.party(), floor(delay * 1000) * 1000, nil, again, ...)
    return f(...)
  end
  running = running + 1
  timer_thread(loop.party(), floor(delay * 1000) * 1000, nil, again, false, ...)
  return 1
end
function timer.running_count() return 0 end
function timer.pending_count() return running end

-- ngx.semaphore
local semaphore = {}
local semaphore_meta = {__index = semaphore}
function semaphore.new(count)
  return setmetatable({_count = tonumber(count) or 0, _waiters = {}}, semaphore_meta)
end
function semaphore:count() return self._count > 0 and self._count or -#self._waiters end
function semaphore:post(count)
  for _ = 1, count or 1 do
    local id = table.remove(self._waiters, 1)
    -- A thread that was ended meanwhile takes nothing.
    while id and not loop.is_awaited(id) do id = table.remove(self._waiters, 1) end
    if id then loop.tell(id, "posted")
    else self._count = self._count + 1 end
  end
  return true
end
function semaphore:wait(timeout)
  if self._count > 0 then
    self._count = self._count - 1
    return true
  end
  if not timeout then error("bad argument #2 to 'wait' (number expected)", 2) end
  if timeout <= 0 then return nil, "timeout" end
  local posted, over = loop.new_id(), loop.new_id()
  self._waiters[#self._waiters + 1] = posted
  host.emit("sleep", loop.party(), over, floor(timeout * 1000) * 1000)
  if loop.wait(posted, over) == posted then
    host.emit("drop", loop.party(), over)
    return true
  end
  for i, id in ipairs(self._waiters) do
    if id == posted then table.remove(self._waiters, i) end
  end
  return nil, "timeout"
end

local contexts = setmetatable({}, {__mode = "k"})
-- A number that nobody has asked for is no part of what the worker goes on with.
local pid
local function own_pid()
  pid = pid or 1000 + floor(host.uniform() * 60000)
  return pid
end
local ngx = {
  shared = shared, sleep = sleep, now = now, time = time, update_time = function() end,
  today = today("%Y-%m-%d"), utctime = today("%Y-%m-%d %H:%M:%S"), localtime = today("%Y-%m-%d %H:%M:%S"),
  log = function() end, null = host.null,
  OK = 0, ERROR = -1, AGAIN = -2, DONE = -4, DECLINED = -5,
  STDERR = 0, EMERG = 1, ALERT = 2, CRIT = 3, ERR = 4, WARN = 5, NOTICE = 6, INFO = 7, DEBUG = 8,
  HTTP_OK = 200, HTTP_FORBIDDEN = 403, HTTP_NOT_FOUND = 404, HTTP_TOO_MANY_REQUESTS = 429,
  HTTP_INTERNAL_SERVER_ERROR = 500, HTTP_SERVICE_UNAVAILABLE = 503,
  timer = strict("ngx.timer", timer), thread = strict("ngx.thread", loop.threads),
  worker = strict("ngx.worker", {
    pid = own_pid,
    id = function() return 0 end,
    count = function() return 1 end,
    exiting = function() return false end,
    pids = function() return {own_pid()} end,
  }),
  config = strict("ngx.config", {
    subsystem = "http", debug = false, nginx_version = 1022001, ngx_lua_version = 10023,
    prefix = function() return "/usr/share/nginx/" end,
    nginx_configure = function() return "" end,
  }),
  get_phase = function()
    local thread = loop.current()
    return thread and thread.is_timer and "timer" or "content"
  end,
  crc32_short = host.crc32, crc32_long = host.crc32, sha1_bin = host.sha1,
  encode_base64 = host.base64, is_subrequest = false,
}
-- A worker serves one request after the other, and none of them has more than these.
local variables = {request_id = function()
  return ("%08x%08x%08x%08x"):format(host.uniform() * 2^32, host.uniform() * 2^32, host.uniform() * 2^32,
                                     host.uniform() * 2^32)
end, remote_addr = "127.0.0.1", server_port = "80", uri = "/", host = "localhost"}
ngx.var = setmetatable({}, {__index = function(_, name)
  local value = variables[name] or host.missing("ngx.var." .. tostring(name))
  if type(value) == "function" then
    local context = ngx.ctx
    context[variables] = context[variables] or value()
    return context[variables]
  end
  return value
end})
-- Fields that are computed.
setmetatable(ngx, {__index = function(_, field)
  if field == "ctx" then
    local thread = loop.current() or error("no request found", 2)
    local request = thread.is_timer and thread or thread.party
    contexts[request] = contexts[request] or {}
    return contexts[request]
  end
  if type(field) == "string" then host.missing("ngx." .. field) end
end})

-- resty.lrucache: the least recently used goes.
local lru = {}
function lru.new(size)
  if size < 1 then return nil, "size too small" end
  return setmetatable({_size = size, _order = {}, _items = {}}, {__index = lru})
end
function lru:delete(key)
  self._items[key] = nil
  for i, each in ipairs(self._order) do
    if each == key then table.remove(self._order, i) end
  end
end
function lru:get(key)
  local item = self._items[key]
  if not item then return nil end
  if item.ends and item.ends < now() then return nil, item.value end
  for i, each in ipairs(self._order) do
    if each == key then table.insert(self._order, table.remove(self._order, i)) break end
  end
  return item.value
end
function lru:set(key, value, ttl)
  self:delete(key)
  if #self._order >= self._size then self:delete(self._order[1]) end
  self._order[#self._order + 1] = key
  self._items[key] = {value = value, ends = ttl and now() + ttl}
end
function lru:count() return #self._order end
function lru:capacity() return self._size end
function lru:flush_all() self._order, self._items = {}, {} end

local modules = {
  ["resty.redis"] = redis, ["resty.lrucache"] = lru, ["ngx.semaphore"] = semaphore,
  ["resty.core"] = true, ["resty.core.shdict"] = true, ["resty.core.time"] = true, ["resty.core.base"] = true,
  ["ngx.process"] = {type = function() return "worker" end},
  ["resty.random"] = {bytes = function(size)
    local bytes = {}
    for i = 1, size do bytes[i] = string.char(floor(host.uniform() * 256)) end
    return table.concat(bytes)
  end},
  ["resty.string"] = {to_hex = function(text)
    return (text:gsub(".", function(letter) return ("%02x"):format(letter:byte()) end))
  end},
  ["table.isempty"] = function(t) return next(t) == nil end,
  ["table.nkeys"] = function(t)
    local count = 0
    for _ in pairs(t) do count = count + 1 end
    return count
  end,
}
for name, module in host.pairs(modules) do package.loaded[name] = module end

-- Chance and time of the usual library. randomseed() makes chance a function of its argument, in every worker.
local seeded
math.randomseed = function(seed) seeded = (tonumber(seed) or 0) % 2147483647 + 1 end
math.random = function(low, high)
  local drawn
  if seeded then
    seeded = seeded * 48271 % 2147483647
    drawn = seeded / 2147483647
  else
    drawn = host.uniform()
  end
  if not low then return drawn end
  if not high then low, high = 1, low end
  if low > high then error("bad argument #1 to 'random' (interval is empty)", 2) end
  return low + floor(drawn * (high - low + 1))
end
local function absent(name)
  return function() host.missing(name .. "()") end
end
os = strict("os", {
  time = function(when) return when and floor(host.time_of(when)) or time() end,
  clock = function() return loop.time() / 1e6 end,
  getenv = function() return nil end,
  date = function(format, when) return date(format or "%c", when or time()) end,
  difftime = function(one, other) return one - other end, exit = absent("os.exit"), execute = absent("os.execute"),
})
io = strict("io", {})
return ngx
