import { createHmac } from 'node:crypto';
import type { FailureCounts, FailureLimits } from '#accounts/sign-in';
import { LUA_TIME, createScript } from './script.ts';
import type { RedisLink } from './redis-link.ts';

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
const COUNT_EVENT = createScript(
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
const BEGIN_ATTEMPT = createScript(
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
const UNDO_ATTEMPT = createScript(
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
const RECORD_OWNER = createScript(
  `
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[2], '1', 'PX', ARGV[2])
return 0
`,
  1,
);

/** An address stays known as an owner's for this long after it last signed in. */
const OWNER_LIFETIME_MS = 90 * 86_400_000;

/**
 * Creates counts that replicas share. Names are keyed hashes: Redis holds no email address and no IP address,
 * and an unkeyed hash of one is reversed by trying all of them. All keys have one hash tag, because a script
 * touches several.
 */
export function createRedisFailureCounts(
  link: RedisLink,
  secret: string,
  limits: FailureLimits,
): FailureCounts {
  const formatKey = (kind: string, name: string): string => {
    const hashed = createHmac('sha256', secret).update(`${kind} ${name}`).digest('base64url');
    return `${link.prefix}{sign-in}:${kind}:${hashed.slice(0, 22)}`;
  };
  const formatOwner = (address: string, account: string): string =>
    formatKey('owner', `${account} ${address}`);
  const formatAccount = (account: string): string => formatKey('account', account);

  async function recordOwner(address: string, account: string): Promise<void> {
    await link.run(
      RECORD_OWNER,
      [formatAccount(account), formatOwner(address, account)],
      [OWNER_LIFETIME_MS],
    );
  }

  return {
    async beginAttempt(address, account) {
      const { max, lengthMs } = limits.windows.addressFailure;
      const { freeFailures, maxDelayMs, lifetimeMs } = limits.account;
      const keys = [formatKey('address', address), formatAccount(account)];
      const reply = await link.run(
        BEGIN_ATTEMPT,
        [...keys, formatOwner(address, account)],
        [max, lengthMs, freeFailures, maxDelayMs, lifetimeMs],
      );
      const [waitMs, ...failure] = reply as [number, number, number, number];
      const undo = async (): Promise<void> => void (await link.run(UNDO_ATTEMPT, keys, failure));
      return {
        waitMs,
        undo,
        async succeed() {
          await undo();
          await recordOwner(address, account);
        },
      };
    },
    recordOwner,
    isOwner: async (address, account) =>
      (await link.call((redis) => redis.exists(formatOwner(address, account)))) === 1,
    async count(event, name) {
      const { max, lengthMs } = limits.windows[event];
      return Number(await link.run(COUNT_EVENT, [formatKey(event, name)], [max, lengthMs]));
    },
  };
}
