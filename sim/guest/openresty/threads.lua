-- The event loop of one worker: light threads, and what each of them waits for. A coroutine of the program may
-- wait, too: then every coroutine around it does.
local host = ...
local create, raw_resume, raw_yield, status = coroutine.create, coroutine.resume, coroutine.yield, coroutine.status
local unpack, select, error, type, next = unpack, select, error, type, next

local to_loop, to_caller = {}, {}  -- the first value of a yield: for whom it is
local ready, waiting, by_coroutine = {}, {}, setmetatable({}, {__mode = "k"})
local early = {}  -- what was told before a thread waited for it
local current, asking
local last_id, made = 0, 0
local loop = {}

local function pack(...) return {n = select("#", ...), ...} end

-- A name for what a thread begins to wait for.
function loop.new_id()
  last_id = last_id + 1
  return last_id
end

function loop.current() return current end
-- The request that runs; of timers, the one that began them.
function loop.party() return current and current.party or 0 end

local function push(thread, ...)
  if not thread.is_over then ready[#ready + 1] = {thread, pack(...)} end
end

-- Until one of these names is told: gives that name, and what was told with it.
function loop.wait(...)
  if host.is_collecting() then error("attempt to yield across C-call boundary", 2) end
  for _, id in ipairs({...}) do
    local told = early[id]
    early[id] = nil
    if told then return id, unpack(told, 1, told.n) end
  end
  current.ids = {...}
  for _, id in ipairs(current.ids) do waiting[id] = current end
  return raw_yield(to_loop)
end

-- What the clock of this machine shows, in microseconds.
function loop.time()
  if host.is_collecting() then error("attempt to yield across C-call boundary", 2) end
  asking = current
  host.emit("clock", current.party)
  return raw_yield(to_loop)
end

local function finish(thread, results)
  thread.is_over, thread.results = true, results
  for _, waiter in ipairs(thread.waiters) do
    if waiter.waits_for and waiter.waits_for[thread] then
      waiter.waits_for = nil
      push(waiter, thread)
    end
  end
  if thread.at_end then thread.at_end(unpack(results, 1, results.n)) end
end

local function run(thread, values)
  local before = current
  current = thread
  local results = pack(raw_resume(thread.co, unpack(values, 1, values.n)))
  current = before
  if status(thread.co) == "dead" then
    finish(thread, results)
  elseif results[2] == to_caller then
    push(thread)  -- it lets others go first
  end
end

local function make(party, at_end, f, parent)
  made = made + 1
  local thread = {number = made, co = create(f), party = party, at_end = at_end, waiters = {}, parent = parent}
  by_coroutine[thread.co] = thread
  return thread
end

-- A thread that belongs to nobody. `at_end` is called with what pcall() gives.
function loop.start(party, at_end, f, ...) push(make(party, at_end, f), ...) end

-- A timer: its thread begins when `id` is told, and outlives the request.
function loop.start_later(id, party, at_end, f, ...)
  local thread = make(party, at_end, f)
  thread.is_timer = true
  waiting[id] = {thread, pack(...)}
end

local function forget_waits(thread)
  for _, id in ipairs(thread.ids or {}) do
    if waiting[id] == thread then
      waiting[id] = nil
      host.emit("drop", thread.party, id)
    end
  end
  thread.is_over = true
end

-- The thread of this coroutine ends where it is.
function loop.kill(co)
  if not by_coroutine[co].is_over then forget_waits(by_coroutine[co]) end
end

-- The caller of a request is gone: its threads end where they are. Timers stay.
function loop.abort(party)
  local gone = {}
  for _, thread in pairs(by_coroutine) do
    if thread.party == party and not thread.is_timer and not thread.is_over then gone[#gone + 1] = thread end
  end
  -- Coroutines have no order that is the same in every process.
  table.sort(gone, function(one, other) return one.number < other.number end)
  for _, thread in ipairs(gone) do forget_waits(thread) end
end

-- Something is to be told, or to go on.
function loop.is_waiting() return next(waiting) ~= nil or ready[1] ~= nil or asking ~= nil end
function loop.is_told(id) return early[id] ~= nil end
function loop.is_awaited(id) return waiting[id] ~= nil end

function loop.tell(id, ...)
  local thread = waiting[id]
  if not thread then
    early[id] = pack(...)
    return
  end
  if thread.co == nil then
    waiting[id] = nil
    push(thread[1], unpack(thread[2], 1, thread[2].n))
    return
  end
  for _, each in ipairs(thread.ids) do waiting[each] = nil end
  thread.ids = nil
  push(thread, id, ...)
end

-- Runs all that can go on, unless somebody asks what time it is: then that is told first.
function loop.run(time)
  if asking then
    local thread = asking
    asking = nil
    if not thread.is_over then run(thread, pack(time)) end
  end
  while ready[1] and not asking do
    local next_one = table.remove(ready, 1)
    if not next_one[1].is_over then run(next_one[1], next_one[2]) end
  end
end

-- ngx.thread
local threads = {}
function threads.spawn(f, ...)
  local thread = make(current.party, nil, f, current)
  run(thread, pack(...))
  return thread.co
end
function threads.wait(...)
  local wanted = {}
  for _, co in ipairs({...}) do
    local thread = by_coroutine[co]
    if not thread or thread.parent ~= current then error("attempt to wait on a coroutine that is not a user thread", 2) end
    if thread.is_over and not thread.results then return nil, "already waited or killed" end
    if thread.is_over then return unpack(thread.results, 1, thread.results.n) end
    wanted[thread] = true
    thread.waiters[#thread.waiters + 1] = current
  end
  current.waits_for = wanted
  local thread = raw_yield(to_loop)
  return unpack(thread.results, 1, thread.results.n)
end
function threads.kill(co)
  local thread = by_coroutine[co]
  if not thread then return nil, "not user thread" end
  if thread.parent ~= current then return nil, "killer not parent" end
  if thread.is_over then return nil, "already waited or killed" end
  forget_waits(thread)
  return true
end
loop.threads = threads

-- Coroutines of the program. What is for the loop goes on to the coroutine around.
local function resume(co, ...)
  local results = pack(raw_resume(co, ...))
  while results[1] and status(co) == "suspended" and results[2] == to_loop do
    results = pack(raw_resume(co, raw_yield(to_loop)))
  end
  if results[1] and status(co) == "suspended" then return true, unpack(results, 3, results.n) end
  return unpack(results, 1, results.n)
end
coroutine.resume = resume
coroutine.yield = function(...) return raw_yield(to_caller, ...) end
coroutine.wrap = function(f)
  local co = create(f)
  return function(...)
    local results = pack(resume(co, ...))
    if not results[1] then error(results[2], type(results[2]) == "string" and 2 or 0) end
    return unpack(results, 2, results.n)
  end
end

return loop
