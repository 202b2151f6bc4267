import { type Script, createScript } from './script.ts';

/**
 * A server that is reached and cannot be used until REDIS_URL is corrected. The message says why and what to
 * correct; it contains no credentials.
 */
export class RedisRefusal extends Error {
  override name = 'RedisRefusal';
}

/** Replies to AUTH, HELLO and SELECT, and to commands that the user may not call. */
const CREDENTIALS = /^(NOAUTH|WRONGPASS|NOPERM|ERR (AUTH|DB index|invalid password|invalid DB index))/;
/** Codes of OpenSSL and Node if the certificate of the server, or of the client, is not accepted. */
const CERTIFICATE = /CERT|SIGNATURE|ISSUER|ALTNAME|CRL|HOSTNAME_MISMATCH|ALERT_UNKNOWN_CA/;

/**
 * Returns why the server refuses this URL, or null if the error may pass by itself. The error is not kept as
 * the cause: ioredis adds the command to it, with the password.
 */
export function toRefusal(error: Error): RedisRefusal | null {
  // OpenSSL's messages name its source lines; its reasons do not.
  const { message, code = '', reason = message } = error as NodeJS.ErrnoException & { reason?: string };
  if (CREDENTIALS.test(message))
    return new RedisRefusal(`${message}. Correct the user, the password or the database of REDIS_URL`);
  if (CERTIFICATE.test(code))
    return new RedisRefusal(
      `${reason}. Correct the host of REDIS_URL, name its CA with ?sslrootcert=<file>, or the certificate of the client with sslcert and sslkey`,
    );
  return null;
}

/**
 * Uses each command of the other scripts and of the metadata cache. KEYS[1] does not exist before and
 * after. Arguments: time, channel.
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
