/** Row 2: request bodies that are held in memory because they never end. */
import { allKeys, type Attack, type AttackField, firstKeys } from '../support/attack.ts';
import { pick, whenAborted } from '../support/lanes.ts';
import { postHead, sendRawCall } from '../support/raw-call.ts';

const ANNOUNCED_BYTES = 38_000_000;
const SENT_BYTES = 37_000_000;
/** Just above the slowest pace that the service lets a body have. */
const TRICKLE_BYTES = 400;

interface OpenBodies {
  keys: readonly string[];
  count: number;
  sentBytes: number;
  trickleBytes?: number;
}

/** Opens so many uploads and keeps every one open that is not refused. */
export async function holdBodies(field: AttackField, open: OpenBodies, signal: AbortSignal): Promise<void> {
  const { keys, count, sentBytes, trickleBytes = 0 } = open;
  const body = Buffer.alloc(sentBytes, 'x');
  body.write('{"html":"', 0);
  const hold = async (n: number): Promise<void> => {
    const head = postHead('/v1/pdf/generate', ANNOUNCED_BYTES, { 'x-api-key': pick(keys, n) });
    field.note(await sendRawCall({ port: field.port, head, body: [body], trickleBytes, signal }));
  };
  await Promise.all([whenAborted(signal), ...Array.from({ length: count }, (_, n) => hold(n))]);
}

export const BODY_ATTACKS: readonly Attack[] = [
  {
    name: 'unfinished_bodies_37_mb',
    row: '2 memory',
    accounts: [{ plan: 'free', keys: 1 }],
    maxTurnMs: 50,
    run: (field, signal) =>
      holdBodies(
        field,
        { keys: firstKeys(field), count: 40, sentBytes: SENT_BYTES, trickleBytes: TRICKLE_BYTES },
        signal,
      ),
  },
  {
    name: 'slow_uploads',
    row: '2 memory',
    accounts: [{ plan: 'free', keys: 1 }],
    maxTurnMs: 50,
    run: (field, signal) =>
      holdBodies(
        field,
        { keys: firstKeys(field), count: 58, sentBytes: 4000, trickleBytes: TRICKLE_BYTES },
        signal,
      ),
  },
  {
    name: 'bodies_of_3_accounts',
    row: '2 memory',
    accounts: Array.from({ length: 3 }, () => ({ plan: 'free', keys: 1 }) as const),
    maxTurnMs: 50,
    // 32 MB each are all the memory for bodies, and less than the share of each.
    run: async (field, signal) => {
      const body = Buffer.alloc(31_999_990, 'x');
      body.write('{"html":"', 0);
      const hold = async (key: string): Promise<void> => {
        const head = postHead('/v1/pdf/generate', 32_000_000, { 'x-api-key': key });
        field.note(await sendRawCall({ port: field.port, head, body: [body], signal }));
      };
      await Promise.all([whenAborted(signal), ...allKeys(field).map(hold)]);
    },
  },
];
