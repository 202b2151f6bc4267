import { createScript, LUA_TIME } from './script.ts';

/** `loadWindow(key, length)` returns the start and the count of a window; nil if there is none now. */
const LUA_WINDOW = `
local function loadWindow(key, length)
  local fields = redis.call('HMGET', key, 'start', 'count')
  local start, count = tonumber(fields[1]), tonumber(fields[2])
  if start and time - start < length then return start, count end
end
local function countInWindow(key, length, start)
  if start then
    redis.call('HINCRBY', key, 'count', 1)
    return start
  end
  redis.call('HSET', key, 'start', time, 'count', 1)
  redis.call('PEXPIRE', key, length)
  return time
end
`;

/**
 * Counts an event unless the window is full. Arguments: time, max, length. Returns the milliseconds to wait.
 */
export const COUNT_EVENT = createScript(
  `${LUA_TIME}${LUA_WINDOW}
local max, length = tonumber(ARGV[2]), tonumber(ARGV[3])
local start, count = loadWindow(KEYS[1], length)
if start and count >= max then return start + length - time end
countInWindow(KEYS[1], length, start)
return 0
`,
  1,
);

/**
 * Counts a failure of an address and an account unless one of them has to wait. KEYS: the window of the
 * address, the failures of the account, the mark of an owner. Arguments: time, max and length of the window,
 * free failures, longest delay and lifetime of an account's failures. Returns the milliseconds to wait, the
 * start of the window, the time of this failure and of the one before.
 */
export const BEGIN_ATTEMPT = createScript(
  `${LUA_TIME}${LUA_WINDOW}
local max, length = tonumber(ARGV[2]), tonumber(ARGV[3])
local free, longest, lifetime = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local start, count = loadWindow(KEYS[1], length)
local fields = redis.call('HMGET', KEYS[2], 'count', 'last')
local failures, last = tonumber(fields[1]) or 0, tonumber(fields[2]) or 0
local wait = 0
if start and count >= max then wait = start + length - time end
if failures >= free and redis.call('EXISTS', KEYS[3]) == 0 then
  local delay = math.min(1000 * 2 ^ math.min(failures - free, 30), longest)
  wait = math.max(wait, last + delay - time)
end
if wait > 0 then return {wait, 0, 0, 0} end
start = countInWindow(KEYS[1], length, start)
if time - last >= lifetime then failures = 0 end
redis.call('HSET', KEYS[2], 'count', failures + 1, 'last', time)
redis.call('PEXPIRE', KEYS[2], lifetime)
return {0, start, time, last}
`,
  4,
);

/**
 * Takes a failure back. KEYS: the window of the address, the failures of the account. Arguments: time, and
 * the last three values that BEGIN_ATTEMPT returned.
 */
export const UNDO_ATTEMPT = createScript(
  `
if redis.call('HGET', KEYS[1], 'start') == ARGV[2] then redis.call('HINCRBY', KEYS[1], 'count', -1) end
if redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('HINCRBY', KEYS[2], 'count', -1)
  if redis.call('HGET', KEYS[2], 'last') == ARGV[3] then redis.call('HSET', KEYS[2], 'last', ARGV[4]) end
end
return 0
`,
  1,
);

/**
 * Clears the failures of an account and marks an owner. KEYS: both. Arguments: time, lifetime of the mark.
 */
export const RECORD_OWNER = createScript(
  `
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[2], '1', 'PX', ARGV[2])
return 0
`,
  1,
);
