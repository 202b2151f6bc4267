/** Floods of email validations: batches that wait for slow DNS, and single calls. */
import { allKeys, type Attack, type AttackField, firstKeys } from '../support/attack.ts';
import { pick, runLanes, whenAborted } from '../support/lanes.ts';
import { postHead, requestHead, sendRawCall } from '../support/raw-call.ts';

const BATCH = 1000;
const BATCHES_PER_KEY = 6;
/** Addresses per minute of a key on the free plan. */
const FREE_LIMIT = 60;

function buildSlowBatch(batch: number): Buffer {
  const emails = Array.from({ length: BATCH }, (_, n) => `ann@d${batch * BATCH + n}.slow-zone.com`);
  return Buffer.from(JSON.stringify({ emails }));
}

/** Every batch that the keys allow in a minute, at once. */
async function sendSlowBatches(field: AttackField, signal: AbortSignal): Promise<void> {
  const keys = firstKeys(field);
  const send = async (n: number): Promise<void> => {
    const body = buildSlowBatch(n);
    const head = postHead('/v1/email/validate/batch', body.length, { 'x-api-key': pick(keys, n) });
    field.note(await sendRawCall({ port: field.port, head, body: [body], signal }));
  };
  const batches = Array.from({ length: keys.length * BATCHES_PER_KEY }, (_, n) => send(n));
  await Promise.all([whenAborted(signal), ...batches]);
}

/** Every address that the keys of free accounts allow in a minute, in one batch per key. */
async function sendSlowAddresses(field: AttackField, signal: AbortSignal): Promise<void> {
  const send = async (key: string, k: number): Promise<void> => {
    const emails = Array.from({ length: FREE_LIMIT }, (_, n) => `eve@k${k}-${n}.slow-zone.com`);
    const body = Buffer.from(JSON.stringify({ emails }));
    const head = postHead('/v1/email/validate/batch', body.length, { 'x-api-key': key });
    field.note(await sendRawCall({ port: field.port, head, body: [body], signal }));
  };
  await Promise.all([whenAborted(signal), ...allKeys(field).map(send)]);
}

/** Single calls on a few connections, far above the keys' limits. */
export async function floodEmails(
  field: AttackField,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  await runLanes({ count: 4, everyMs: 5, signal }, async (n) => {
    const path = `/v1/email/validate?email=eve${n}@good-mail.com`;
    const head = requestHead('GET', path, { 'x-api-key': pick(keys, n) });
    field.note(await sendRawCall({ port: field.port, head, signal }));
  });
}

const CONNECTIONS = 2000;

/** A single call on each of many new connections, all at once. */
async function floodConnections(field: AttackField, signal: AbortSignal): Promise<void> {
  const keys = allKeys(field);
  await runLanes({ count: 1, everyMs: 2000, signal }, async () => {
    const calls = Array.from({ length: CONNECTIONS }, async (_, n) => {
      const path = `/v1/email/validate?email=eve${n}@good-mail.com`;
      const head = requestHead('GET', path, { 'x-api-key': pick(keys, n) });
      field.note(await sendRawCall({ port: field.port, head, signal }));
    });
    await Promise.all(calls);
  });
}

export const EMAIL_ATTACKS: readonly Attack[] = [
  {
    name: 'batches_of_slow_domains',
    row: '4 DNS',
    accounts: [{ plan: 'business', keys: 4 }],
    maxTurnMs: 20,
    run: sendSlowBatches,
  },
  {
    name: 'slow_domains_2_accounts',
    row: '4 DNS',
    accounts: Array.from({ length: 2 }, () => ({ plan: 'free', keys: 20 }) as const),
    maxTurnMs: 50,
    run: sendSlowAddresses,
  },
  {
    name: 'connections_2000_at_once',
    row: '8 turns',
    accounts: [{ plan: 'business', keys: 20 }],
    maxTurnMs: 50,
    run: floodConnections,
  },
];
