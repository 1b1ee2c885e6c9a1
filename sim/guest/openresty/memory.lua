-- All that a program goes on with while nothing waits, as a text: equal texts have equal futures, but for chance.
-- The text has every value that can be reached, objects by the order in which they are found. nil: there is
-- something whose state cannot be read. Comes before base.lua, which replaces next().
local host = ...
local next, type, sort, format, concat = next, type, table.sort, string.format, table.concat
local getinfo, getupvalue, upvalueid = debug.getinfo, debug.getupvalue, debug.upvalueid
local getmetatable, getfenv, rawget = debug.getmetatable, debug.getfenv, rawget
local loaded, globals, newproxy = package.loaded, _G, newproxy
local has_finalisers = false

_G.newproxy = function(...)
  has_finalisers = true
  return newproxy(...)
end

-- Of our own files: names of what waits, which begin anew where nothing waits; threads that are over; and what
-- each call sets first.
local passing = {last_id = true, made = true, connections = true, by_coroutine = true, doubts = true}

local function before(one, other)
  if type(one) ~= type(other) then return type(one) < type(other) end
  if type(one) == "boolean" then return one and not other end
  return one < other
end

local function read(...)
  local parts, seen, count, is_readable = {}, {}, 0, true
  local write
  local function put(text) parts[#parts + 1] = text end

  local function write_table(t)
    local keys = {}
    for key in next, t do
      local kind = type(key)
      if kind ~= "string" and kind ~= "number" and kind ~= "boolean" then is_readable = false end
      keys[#keys + 1] = key
    end
    if not is_readable then return end
    sort(keys, before)
    put(format("{%d", #t))
    for _, key in next, keys do
      write(key)
      write(rawget(t, key))
    end
    put("}")
    write(getmetatable(t))
  end
  local function write_function(f)
    local info = getinfo(f, "S")
    if info.what == "C" or info.linedefined < 0 then return end  -- of LuaJIT's own library
    local is_ours = info.source:byte() == 61  -- "="
    is_readable = is_readable and host.is_alone(info.source, info.linedefined)
    put(format("%s:%d", info.source, info.linedefined))
    for i = 1, 255 do
      local name, value = getupvalue(f, i)
      if not name then break end
      if not (is_ours and passing[name]) then
        local id = upvalueid(f, i)
        if not seen[id] then
          count = count + 1
          seen[id] = count
          write(value)
        end
        put(format("^%d", seen[id]))
      end
    end
    if getfenv(f) ~= globals then write(getfenv(f)) end
  end

  function write(value)
    if not is_readable then return end
    local kind = type(value)
    if kind == "number" then return put(format("%.17g", value)) end
    if kind == "string" then return put(format("%d:%s", #value, value)) end
    if kind == "boolean" or kind == "nil" then return put(value and "T" or value == false and "F" or "N") end
    if value == host.null then return put("null") end
    if seen[value] then return put(format("#%d", seen[value])) end
    count = count + 1
    seen[value] = count
    put(kind)
    if kind == "table" then write_table(value)
    elseif kind == "function" then write_function(value)
    elseif kind == "userdata" then write(getmetatable(value))
    else is_readable = false end
  end

  for i = 1, select("#", ...) do write((select(i, ...))) end
  return is_readable and concat(parts, " ") or nil
end

return function(...)
  if has_finalisers or loaded.ffi then return nil end
  return read(globals, getmetatable(""), ...)
end
