-- Calls the lock of the program: a table with acquire() and release(), or a module in the manner of
-- resty.lock, whose new() makes objects.
local host, loop, read = ...
local type, tostring, tonumber, pcall = type, tostring, tonumber, pcall
local program, params
local objects, doubts = {}, {}
local driver = {}

function host.doubt() doubts[loop.party()] = true end

local function ends(party, otherwise)
  return function(ok, problem)
    if not ok then host.emit("error", party, tostring(problem)) end
    if not ok and otherwise then host.emit(otherwise, party, tostring(problem)) end
  end
end

function driver.begin(values)
  params = values
  loop.start(0, function(ok, problem)
    if not ok then host.emit("unusable", 0, tostring(problem)) end
  end, function() program = host.load_main()() end)
end

-- All that it goes on with; nil: something waits, or cannot be read.
function driver.memory()
  if not loop.is_waiting() then return read(program, params, objects) end
end
-- What it returned when it was loaded.
function driver.program() return program end

-- What the caller of the program does that has a module of objects.
local module = {}
local function option(name, default)
  if params[name] ~= nil and params[name] ~= default then return params[name] end
end
function module.acquire(party, key)
  if not objects[party] then
    local object, problem = program:new("locks", {exptime = params.ttl, timeout = option("timeout", 5),
      step = option("step", 0.001), ratio = params.ratio, max_step = params["max-step"]})
    if not object then return false, problem end
    objects[party] = object
  end
  local elapsed, problem = objects[party]:lock(key)
  if not elapsed then
    if problem == "timeout" or problem == "locked" or problem == "nil key" then return false, problem end
    return nil, problem
  end
  if params["expire-every"] and params["expire-every"] > 0 then
    local object = objects[party]
    object.renewal = loop.threads.spawn(function()
      repeat
        ngx.sleep(params["expire-every"])
        local ok = object:expire()
        host.emit(ok and "renewed" or "lost", party, "true", params.ttl)
      until not ok
    end)
  end
  return "true"
end
function module.release(party)
  local object = objects[party]
  if not object then return nil, "no object" end
  if object.renewal then loop.kill(object.renewal) end
  object.renewal = nil
  if params.unlock == "forgotten" then
    objects[party] = nil
    ngx.timer.at(params["collect-after"], function() host.collect() end)
    return nil, "forgotten"
  end
  local ok, problem = object:unlock()
  if ok then return true end
  if problem == "unlocked" then return false end
  return nil, problem
end

local function acquire(party, key, mode)
  doubts[party] = nil
  local token, why
  if program.acquire then token, why = program.acquire(key, params, mode)
  else token, why = module.acquire(party, key) end
  if token then
    local more = type(why) == "table" and why or {fence = type(why) == "number" and why or nil}
    host.emit("granted", party, tostring(token), more.lease or params.ttl or -1, more.fence or -1,
              more.lease_until or -1)
  elseif token == nil and (doubts[party] or not program.acquire) then
    host.emit("failed", party, tostring(why or "no answer"))
  else
    host.emit("refused", party, tostring(why or "refused"))
  end
end
local function release(party, key, token)
  doubts[party] = nil
  local released
  if program.release then released = program.release(key, token, params)
  else released = module.release(party) end
  host.emit(released and "released" or released == false and "not-held" or "unknown", party)
end

function driver.acquire(party, key, mode) loop.start(party, ends(party, "failed"), acquire, party, key, mode) end
function driver.release(party, key, token)
  loop.start(party, ends(party, "unknown"), release, party, key, token)
end

-- For programs that renew beside the work.
holdfast = {
  renewed = function(token, seconds) host.emit("renewed", loop.party(), tostring(token), seconds) end,
  lost = function(token) host.emit("lost", loop.party(), tostring(token)) end,
}
return driver
