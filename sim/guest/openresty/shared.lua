-- ngx.shared.DICT (lua-nginx-module, README; lua-resty-core, shdict.lua): every call is a command to the
-- dictionary of the simulation, which answers at once.
local host, loop = ...
local floor, tostring, tonumber, type, error = math.floor, tostring, tonumber, type, error
local used  -- the one dictionary that the program uses

local function command(...)
  local id = loop.new_id()
  host.emit("send", loop.party(), id, 0, 0, 0, 0, ...)
  -- The collector runs a finaliser, which waits for nothing: a dictionary does as it is told.
  if host.is_collecting() then return "status", "OK" end
  local _, kind, value = loop.wait(id)
  return kind, value
end

-- Below a millisecond is cut off.
local function seconds(exptime)
  if not exptime then return "0" end
  if exptime < 0 then error('bad "exptime" argument', 3) end
  local ms = floor(exptime * 1000)
  if ms % 1000 == 0 then return ("%d"):format(ms / 1000) end
  return (("%d.%03d"):format(floor(ms / 1000), ms % 1000):gsub("0+$", ""))
end

local function key_of(key)
  if key == nil then return nil, "nil key" end
  key = tostring(key)
  if #key == 0 then return nil, "empty key" end
  if #key > 65535 then return nil, "key too long" end
  return key
end

-- The dictionary has texts. One that would come back as a number or a truth is kept in quotes, and so is one
-- that begins with a quote: each comes back as what it was, and a text cannot be counted up.
local function kept(value)
  local text = tostring(value)
  if type(value) ~= "string" then return text end
  local is_like_another = tonumber(text) or text == "true" or text == "false" or text:sub(1, 1) == '"'
  return is_like_another and '"' .. text .. '"' or text
end
local function value_of(kind, text)
  if kind ~= "bulk" then return nil end
  if text:sub(1, 1) == '"' then return text:sub(2, -2) end
  if text == "true" then return true end
  if text == "false" then return false end
  return tonumber(text) or text
end

local function storing(name)
  return function(_, key, value, exptime, flags)
    if flags and flags ~= 0 then host.missing("flags of a shared dictionary") end
    local time, problem = seconds(exptime), nil
    key, problem = key_of(key)
    if not key then return nil, problem end
    local kind = type(value)
    if value ~= nil and kind ~= "string" and kind ~= "number" and kind ~= "boolean" then
      return nil, "bad value type"
    end
    local answer, text
    if value == nil then answer, text = command("DELETE", key)
    else answer, text = command(name, key, kept(value), time) end
    if answer == "status" then return true, nil, text == "OK forcible" end
    return false, text, false
  end
end

local dict = {
  set = storing("SET"), safe_set = storing("SAFE_SET"), add = storing("ADD"), safe_add = storing("SAFE_ADD"),
  replace = storing("REPLACE"),
}
function dict:delete(key)
  local problem
  key, problem = key_of(key)
  if not key then return nil, problem end
  command("DELETE", key)
  return true, nil, false
end
function dict:get(key)
  local problem
  key, problem = key_of(key)
  if not key then return nil, problem end
  return value_of(command("GET", key))
end
function dict:get_stale(key)
  local problem
  key, problem = key_of(key)
  if not key then return nil, problem end
  local kind, parts = command("GET_STALE", key)
  if kind ~= "array" then return nil end
  return value_of(parts[1][1], parts[1][2]), nil, parts[2][2] == 1
end
function dict:incr(key, value, init, init_ttl)
  local problem
  key, problem = key_of(key)
  if not key then return nil, problem end
  if init and not tonumber(init) then error("bad init arg: number expected, got " .. type(init), 2) end
  if init_ttl and init_ttl < 0 then error('bad "init_ttl" argument', 2) end
  if init_ttl and not init then error('must provide "init" when providing "init_ttl"', 2) end
  local words = {"INCR", key, tostring(tonumber(value))}
  if init then words[4], words[5] = tostring(init), init_ttl and seconds(init_ttl) or nil end
  local kind, number = command(unpack(words))
  if kind ~= "integer" then return nil, number end
  if init then return number, nil, false end
  return number
end
local function pushing(name)
  return function(_, key, value)
    local problem
    key, problem = key_of(key)
    if not key then return nil, problem end
    if type(value) ~= "string" and type(value) ~= "number" then return nil, "bad value type" end
    local kind, number = command(name, key, kept(value))
    if kind == "integer" then return number end
    return nil, number
  end
end
local function popping(name)
  return function(_, key)
    local problem
    key, problem = key_of(key)
    if not key then return nil, problem end
    local kind, text = command(name, key)
    if kind == "error" then return nil, text end
    return value_of(kind, text)
  end
end
dict.lpush, dict.rpush, dict.lpop, dict.rpop = pushing("LPUSH"), pushing("RPUSH"), popping("LPOP"), popping("RPOP")
function dict:llen(key)
  local problem
  key, problem = key_of(key)
  if not key then return nil, problem end
  local kind, number = command("LLEN", key)
  if kind == "integer" then return number end
  return nil, number
end
function dict:ttl(key)
  local problem
  key, problem = key_of(key)
  if not key then return nil, problem end
  local kind, text = command("TTL", key)
  if kind == "bulk" then return tonumber(text) end
  return nil, text
end
function dict:expire(key, exptime)
  if not exptime then error('bad "exptime" argument', 2) end
  local problem
  key, problem = key_of(key)
  if not key then return nil, problem end
  local kind, text = command("EXPIRE", key, seconds(exptime))
  if kind == "status" then return true end
  return nil, text
end
function dict:flush_all() command("FLUSH_ALL") end
function dict:flush_expired(max)
  local _, number = command("FLUSH_EXPIRED", tostring(max or 0))
  return number
end
function dict:get_keys(max)
  local _, parts = command("GET_KEYS", tostring(max or 1024))
  local keys = {}
  for i, part in ipairs(parts) do keys[i] = part[2] end
  return keys
end
function dict:capacity() return (select(2, command("CAPACITY"))) end
function dict:free_space() return (select(2, command("FREE_SPACE"))) end

local dicts = {}
return setmetatable({}, {
  __index = function(_, name)
    if not host.has_dictionary(name) then return nil end
    if not dicts[name] then
      if used and used ~= name then
        host.missing(("a second shared dictionary, %s beside %s"):format(name, used))
      end
      used = name
      dicts[name] = setmetatable({}, {__index = function(_, method)
        return dict[method] or host.missing(("ngx.shared.%s:%s()"):format(name, method))
      end})
    end
    return dicts[name]
  end,
})
