import { createHmac } from 'node:crypto';
import type { PoolListener, PoolReply, PoolRequest, UnitPool } from '#limits';
import { CallTimeout } from './message-listener.ts';
import type { RedisLink } from './redis-link.ts';
import { createScript, LUA_TIME } from './script.ts';

/**
 * Settles the lease of a replica and leases new units: the rules are in docs/internals/decisions/0011.
 *
 * KEYS[1] is a hash with the window in `w` and, for each replica, "<units charged> <units leased>
 * <sequence>". A replica is charged with the units that it has used and leased. Calls that arrive after a
 * later call of the same replica, from a connection that stalled, change nothing.
 *
 * Arguments: time, replica, sequence, limit, window of `used`, used, need, want, lease divisor, peek,
 * channel. Returns the server's milliseconds, window, units leased, units left, units leased by other
 * replicas.
 */
export const TAKE_UNITS = createScript(
  `${LUA_TIME}
local id, sequence, limit = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local used, need, want = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local divisor, peek, channel = tonumber(ARGV[9]), ARGV[10] == '1', ARGV[11]
local window = math.floor(time / 60000)
local fields = redis.call('HGETALL', KEYS[1])
local stored, charged, others, mine, last = nil, 0, 0, 0, 0
local participants = 0
for i = 1, #fields, 2 do
  if fields[i] == 'w' then
    stored = tonumber(fields[i + 1])
  else
    local c, h, s = string.match(fields[i + 1], '^(%d+) (%d+) (%d+)$')
    if fields[i] == id then
      mine, last = tonumber(c), tonumber(s)
    else
      charged, others, participants = charged + c, others + h, participants + 1
    end
  end
end
-- After a failover the clock may be a little behind: the window does not start again.
if stored and stored == window + 1 then window = stored end
if stored ~= window then
  if not peek then redis.call('DEL', KEYS[1]) end
  charged, others, mine, last, participants = 0, 0, 0, 0, 0
end
if peek then
  return {time, window, 0, math.max(0, limit - charged - mine), others}
end
if last > sequence then
  return redis.error_reply('STALE a later call of this replica was counted')
end
if tonumber(ARGV[5]) ~= window then used = 0 end
local left = limit - charged - used
local granted = 0
if need > 0 and left >= need then
  granted = want
  if divisor > 0 then granted = math.max(granted, math.floor(left / divisor)) end
  granted = math.min(granted, left)
end
redis.call('HSET', KEYS[1], 'w', window, id, string.format('%d %d %d', used + granted, granted, sequence))
redis.call('PEXPIRE', KEYS[1], (window + 1) * 60000 - time + 5000)
left = math.max(0, left - granted)
if need > 0 and granted == 0 and others > 0 then
  redis.call('PUBLISH', channel, 'recall ' .. id .. ' ' .. KEYS[1])
elseif participants > 0 and (divisor > 0 or need == 0) then
  redis.call('PUBLISH', channel, 'left ' .. id .. ' ' .. KEYS[1] .. ' ' .. window .. ' ' .. left)
end
return {time, window, granted, left, others}
`,
  5,
);

export interface UnitPoolEvents {
  /** Called with the units of each lease. */
  onLease?: ((units: number) => void) | undefined;
  /** Called for each decision that this replica makes without Redis. */
  onAlone?: (() => void) | undefined;
}

/**
 * Creates the pool of the keys of one kind. Names of keys are keyed hashes: an unkeyed hash of an IP address
 * is reversed by trying all addresses.
 */
export function createUnitPool(
  link: RedisLink,
  kind: string,
  secret: string,
  { onLease, onAlone }: UnitPoolEvents = {},
): UnitPool {
  const start = `${link.prefix}units:${kind}:{`;
  let sequence = 0;

  async function take(request: PoolRequest, onLate: (reply: PoolReply) => void): Promise<PoolReply> {
    const sentAtMs = link.clock.now();
    const { name, limit, window, used, need, want, leaseDivisor, isPeek } = request;
    sequence += 1;
    const args = [link.id, sequence, limit, window, used, need, want, leaseDivisor, isPeek ? 1 : 0];
    const receive = (reply: number[]): PoolReply => {
      const [serverMs = 0, replyWindow = 0, granted = 0, left = 0, leasedByOthers = 0] = reply;
      link.clock.observe(serverMs, sentAtMs);
      if (granted > 0) onLease?.(granted);
      return { window: replyWindow, granted, left, leasedByOthers };
    };
    return link.run(TAKE_UNITS, [name], [...args, link.messages.channel]).then(receive, (error: unknown) => {
      if (error instanceof CallTimeout)
        error.late.then((reply) => onLate(receive(reply as number[]))).catch(() => {});
      throw error;
    });
  }

  return {
    clock: link.clock,
    timeoutMs: link.timeoutMs,
    get replicas() {
      return link.replicas;
    },
    get isListening() {
      return link.messages.isListening;
    },
    formatName: (key) =>
      `${start}${createHmac('sha256', secret).update(key).digest('base64url').slice(0, 22)}}`,
    take,
    onAlone: () => onAlone?.(),
    listen(listener: PoolListener) {
      link.onRecovery(() => listener.onRecovery());
      link.messages.listen(([kindOfMessage, id, name = '', window, left]) => {
        if (id === link.id || !name.startsWith(start)) return;
        if (kindOfMessage === 'recall') listener.onRecall(name);
        else listener.onLeft(name, Number(window), Number(left));
      });
    },
  };
}
