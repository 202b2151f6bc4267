import { createHmac } from 'node:crypto';
import type { PoolListener, PoolReply, PoolRequest, UnitPool } from '#limits';
import type { RedisLink } from './redis-link.ts';
import { TAKE_UNITS } from './unit-script.ts';

/**
 * Creates the pool of the keys of one kind. Names of keys are keyed hashes: an unkeyed hash of an IP address
 * is reversed by trying all addresses.
 */
export function createUnitPool(
  link: RedisLink,
  kind: string,
  secret: string,
  onLease: (units: number) => void = () => {},
): UnitPool {
  const start = `${link.prefix}units:${kind}:{`;
  let sequence = 0;

  async function take(request: PoolRequest): Promise<PoolReply> {
    const sentAtMs = link.clock.now();
    const { name, limit, window, used, need, want, leaseDivisor, isPeek } = request;
    sequence += 1;
    const args = [link.id, sequence, limit, window, used, need, want, leaseDivisor, isPeek ? 1 : 0];
    const reply = await link.run(TAKE_UNITS, [name], [...args, link.messages.channel]);
    const [serverMs, replyWindow, granted, left, leasedByOthers] = reply as [
      number,
      number,
      number,
      number,
      number,
    ];
    link.clock.observe(serverMs, sentAtMs);
    if (granted > 0) onLease(granted);
    return { window: replyWindow, granted, left, leasedByOthers };
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
