-- What differs from LuaJIT's own library: all that depends on addresses, on a hash seed that is new in every
-- process, or on when memory is collected.
local host = ...
local next, type, tostring, setmetatable, error, loadstring = next, type, tostring, setmetatable, error, loadstring
local sort, raw_require, loaded = table.sort, require, package.loaded

-- Numbers first, then texts; what has no order of its own stays as it comes.
local rank = {number = 1, string = 2}
local function before(one, other)
  local r, s = rank[type(one)] or 3, rank[type(other)] or 3
  if r ~= s then return r < s end
  return r < 3 and one < other
end

local function sorted_keys(t)
  local keys = {}
  for key in next, t do keys[#keys + 1] = key end
  for _, key in ipairs(keys) do
    if not rank[type(key)] then return keys end
  end
  sort(keys, before)
  return keys
end

function host.pairs(t)
  if type(t) ~= "table" then error("bad argument #1 to 'pairs' (table expected, got " .. type(t) .. ")", 2) end
  local keys, place = sorted_keys(t), 0
  return function()
    repeat place = place + 1 until keys[place] == nil or t[keys[place]] ~= nil
    return keys[place], t[keys[place]]
  end, t, nil
end
pairs = host.pairs
_G.next = function(t, key)
  local keys = sorted_keys(t)
  if key == nil then return keys[1], t[keys[1]] end
  for i, each in ipairs(keys) do
    if each == key then return keys[i + 1], t[keys[i + 1]] end
  end
  error("invalid key to 'next'", 2)
end

-- Objects are numbered in the order in which they are named.
local names, named = setmetatable({}, {__mode = "k"}), 0
local by_address = {table = true, ["function"] = true, userdata = true, thread = true}
_G.tostring = function(value)
  local kind = type(value)
  if not by_address[kind] or value == host.null or (getmetatable(value) or {}).__tostring then return tostring(value) end
  if not names[value] then
    named = named + 1
    names[value] = ("%s: 0x%08x"):format(kind, named * 16)
  end
  return names[value]
end

collectgarbage = function(option)
  if option == "count" then return 64 end
  if option == nil or option == "collect" then host.collect() end
  return 0
end

local native = {ffi = true, bit = true, jit = true, ["jit.util"] = true, ["table.new"] = true,
                ["table.clear"] = true, ["string.buffer"] = true}
function require(name)
  if loaded[name] ~= nil then return loaded[name] end
  if native[name] then return raw_require(name) end
  local chunk = host.module(name)
  if not chunk then error("module '" .. name .. "' not found", 2) end
  local module = chunk(name)
  if module ~= nil then loaded[name] = module
  elseif loaded[name] == nil then loaded[name] = true end
  return loaded[name]
end
dofile, loadfile, load = nil, nil, nil
return true
