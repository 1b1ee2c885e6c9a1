-- Looks at a program without running it: the globals that it sets, and those that it reads and nobody sets.
local host = ...
local util = require "jit.util"

-- The number of the instruction that a little program begins with.
local function opcode_of(text, place)
  return bit.band(util.funcbc(loadstring(text), place), 0xff)
end
local sets, gets = opcode_of("x = y", 2), opcode_of("x = y", 1)
local known = {}
for name in pairs(_G) do known[name] = true end
for name in ("dofile loadfile load"):gmatch("%S+") do known[name] = nil end

local function look(prototype, findings, written)
  local info = util.funcinfo(prototype)
  for place = 1, info.bytecodes - 1 do
    local instruction = util.funcbc(prototype, place)
    local code = bit.band(instruction, 0xff)
    if code == sets or code == gets then
      local name = util.funck(prototype, -bit.rshift(instruction, 16) - 1)
      local line = util.funcinfo(prototype, place).currentline
      if code == sets then written[name] = true end
      findings[#findings + 1] = {line, name, code == sets}
    end
  end
  for constant = -1, -info.gcconsts, -1 do
    local value = util.funck(prototype, constant)
    if type(value) == "proto" then look(value, findings, written) end
  end
end

-- Calls report(line, what) for each.
return function(report)
  local findings, written = {}, {}
  look(host.load_main(), findings, written)
  table.sort(findings, function(one, other) return one[1] < other[1] end)
  for _, each in ipairs(findings) do
    local line, name, is_set = each[1], each[2], each[3]
    if is_set then report(line, ("sets the global %s, which all requests of a worker share: local?"):format(name))
    elseif not known[name] and not written[name] then
      report(line, ("reads the global %s, which nothing sets"):format(name))
    end
  end
end
