import { RedisRefusal } from './redis-refusal.ts';
import { createScript, type Script } from './script.ts';

/**
 * Uses each command of the other scripts and of the metadata cache. KEYS[1] does not exist before and after.
 * Arguments: time, channel.
 */
const USE_PERMISSIONS = createScript(
  `
local key = KEYS[1]
redis.call('DEL', key)
redis.call('TIME')
redis.call('HSET', key, 'field', 1)
redis.call('HINCRBY', key, 'field', 1)
redis.call('HGET', key, 'field')
redis.call('HMGET', key, 'field', 'other')
redis.call('HGETALL', key)
redis.call('EXISTS', key)
redis.call('PEXPIRE', key, 1000)
redis.call('DEL', key)
redis.call('ZADD', key, 1, 'member')
redis.call('ZREMRANGEBYSCORE', key, '-inf', 0)
redis.call('ZCARD', key)
redis.call('ZREM', key, 'member')
redis.call('SET', key, '1', 'PX', 1000)
redis.call('GET', key)
redis.call('UNLINK', key)
redis.call('DEL', key)
redis.call('PUBLISH', ARGV[2], 'check')
return 0
`,
  1,
);

/** The part of a link that the check uses. */
interface CheckedLink {
  prefix: string;
  messages: { channel: string; assertPermitted(): Promise<void> };
  run(script: Script, keys: string[], args: string[]): Promise<number[]>;
}

const REFUSAL = /^NOPERM|^ERR The user executing the script can't/;

/**
 * Throws RedisRefusal if the user of the URL lacks a permission. Scripts would fail halfway, and each replica
 * would count alone without a reason that anyone can see: a new user of Redis 7 may not use any channel.
 */
export async function assertPermitted(link: CheckedLink): Promise<void> {
  try {
    await link.run(USE_PERMISSIONS, [`${link.prefix}permissions`], [link.messages.channel]);
    await link.messages.assertPermitted();
  } catch (error) {
    const { message } = error as Error;
    // Anything else is an outage, which the breaker handles.
    if (!REFUSAL.test(message)) return;
    const reason = message.replace(/^(NOPERM|ERR) /, '').replace(/ script: .*$/, '');
    throw new RedisRefusal(`${reason}. Allow this to the user of REDIS_URL (docs/operate/scaling.md)`, {
      cause: error,
    });
  }
}
