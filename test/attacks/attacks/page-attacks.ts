/** Row 4: hosts that hang hold the connections for pages. Row 10: what one page can cost. */
import { allKeys, type Attack, type AttackField, firstKeys } from '../support/attack.ts';
import { pick, runLanes } from '../support/lanes.ts';
import { requestHead, sendRawCall } from '../support/raw-call.ts';
import { HOSTILE_ADDRESS, startHostileTargets } from '../../support/hostile-targets.ts';

const CALLS_PER_KEY = 58;

interface HangingCalls {
  keys: readonly string[];
  callsPerKey?: number;
  /** All at once if unset. */
  everyMs?: number;
  url: (n: number) => string;
}

/** Asks each key's calls for pages that never come; a call that is refused is not repeated. */
export async function askHangingHosts(
  field: AttackField,
  { keys, callsPerKey = CALLS_PER_KEY, everyMs = 0, url }: HangingCalls,
  signal: AbortSignal,
): Promise<void> {
  const total = keys.length * callsPerKey;
  const send = async (n: number): Promise<void> => {
    const path = `/v1/meta?timeout=30000&url=${encodeURIComponent(url(n))}`;
    const head = requestHead('GET', path, { 'x-api-key': pick(keys, n) });
    field.note(await sendRawCall({ port: field.port, head, signal }));
  };
  const sent: Promise<void>[] = [];
  await runLanes({ count: 1, everyMs: Math.max(everyMs, 1), signal }, async (n) => {
    if (n < total) sent.push(send(n));
  });
  await Promise.all(sent);
}

/** A host name of its own for every call: one host's own limit does not apply. */
export const hangingUrl =
  ({ targets }: AttackField) =>
  (n: number): string =>
    `http://h${n}.hang.test-zone.com:${targets.hanging}/`;

/** The host of the well-behaved caller's pages. */
const popularUrl =
  ({ targets }: AttackField) =>
  (n: number): string =>
    `http://popular.test-zone.com:${targets.site}/hang?${n}`;

const endlessTrailers: Attack = {
  name: 'page_endless_trailers',
  row: '10 event loop',
  accounts: [{ plan: 'pro', keys: 1 }],
  maxTurnMs: 50,
  async run(field, signal) {
    await using targets = await startHostileTargets();
    const url = `http://${HOSTILE_ADDRESS}:${targets.http}/trailers_endless`;
    const head = requestHead('GET', `/v1/meta?url=${url}`, { 'x-api-key': pick(firstKeys(field), 0) });
    await runLanes({ count: 2, everyMs: 250, signal }, async () =>
      field.note(await sendRawCall({ port: field.port, head, signal })),
    );
  },
};

export const PAGE_ATTACKS: readonly Attack[] = [
  {
    name: 'hanging_hosts_5_accounts',
    row: '4 connections',
    accounts: Array.from({ length: 5 }, () => ({ plan: 'free', keys: 1 }) as const),
    maxTurnMs: 50,
    run: (field, signal) => askHangingHosts(field, { keys: allKeys(field), url: hangingUrl(field) }, signal),
  },
  {
    name: 'hanging_hosts_20_keys',
    row: '4 connections',
    accounts: [{ plan: 'free', keys: 20 }],
    maxTurnMs: 50,
    run: (field, signal) => askHangingHosts(field, { keys: allKeys(field), url: hangingUrl(field) }, signal),
  },
  {
    name: 'popular_host_held',
    row: '4 connections',
    accounts: [{ plan: 'free', keys: 1 }],
    maxTurnMs: 50,
    run: (field, signal) => askHangingHosts(field, { keys: allKeys(field), url: popularUrl(field) }, signal),
  },
  endlessTrailers,
];
