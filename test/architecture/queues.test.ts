/**
 * Only `concurrency/` and `limits/` define queues, and each use of one has a test with a greedy and a small
 * account.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { computeCapacities, EGRESS_CONNECTIONS } from '#limits';
import { DEFAULT_LIMITS } from '../../src/egress/dns/resolver.ts';
import { parseSource, walk } from '../../scripts/source/syntax-tree.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const load = (path: string): string => readFileSync(ROOT + path, 'utf8');

/** The classes whose objects are queues, or whose jobs would wait without one. */
const QUEUES = /^(?:Semaphore|ClientQueue|FairPool|HostPlaces|WorkerPool|WorkerThread)$/;
const DEFINED_IN = /^src\/(?:concurrency|limits)\//;

/** Each file that opens a queue: what bounds the wait of an account, and the test that shows it. */
const USES: Readonly<Record<string, [bound: string, test: string, title: string]>> = {
  'src/limits/shares/create-shares.ts': [
    'the fair order of accounts; one place of each kind stays free',
    'src/limits/shares/create-shares.test.ts',
    'a small account waits for none of the backlog of a greedy one',
  ],
  'src/http/wire/json/parse-queue.ts': [
    'the share parserThreads',
    'src/http/wire/json/parse-queue.test.ts',
    'a body of one account waits for at most the one in progress of another with a backlog',
  ],
  'src/pdf/worker/document-worker.ts': [
    'no job waits: the share browserPages bounds the threads',
    'src/concurrency/worker-pool.test.ts',
    'lets no job wait for another',
  ],
  'src/pdf/liquid/template-threads.ts': [
    'no job waits: the share browserPages bounds the threads',
    'src/concurrency/worker-pool.test.ts',
    'lets no job wait for another',
  ],
  'src/egress/http/connection-pool.ts': [
    'the client that holds the fewest is next, and in a group its member; places are reclaimed',
    'src/concurrency/host-places.test.ts',
    'are reclaimed for a starved member from the one that holds the most, and from no other client',
  ],
  'src/egress/http/connection.ts': [
    'clients alternate between turns of the event loop',
    'src/egress/http/connection.test.ts',
    'alternates between clients, however many sockets one of them has',
  ],
  'src/egress/fetch-resource.ts': [
    'a queue of one render',
    'test/egress/fair-connections.test.ts',
    'are bounded per render, so that one whose resources hang does not delay others',
  ],
  'src/egress/http/connection-limits.ts': [
    'the share pageConnections has as many places, so that no page waits here',
    'test/architecture/queues.test.ts',
    'has no more places than the queues behind it',
  ],
  'src/egress/dns/open-resolver.ts': [
    'the shares dnsLookups and pageConnections have fewer places',
    'test/architecture/queues.test.ts',
    'has no more places than the queues behind it',
  ],
  'src/accounts/sign-in/password.ts': [
    'callers without an account: a bound for each address, and a slot for known ones',
    'src/accounts/sign-in/password.test.ts',
    'one caller cannot fill the queue',
  ],
  'src/accounts/sign-in/oidc-provider.ts': [
    'sign-ins of one identity provider, before there is an account: a wait of 15 s, 8 places for an address',
    'test/api/account/oidc.test.ts',
    'that does not respond leaves room in the queue for others than one address',
  ],
};

/** Files outside that keep what waits, of one owner or for less than a turn. */
const OWN_ORDER: Readonly<Record<string, string>> = {
  'src/browser/cdp/message-writer.ts': 'bytes of one pipe, in slices',
  'src/http/v1/metadata-batch-turns.ts': 'the items of one batch',
};
const KEPT = /\b(?:waiting|waiters|queued?|backlog)\b.*(?:\[|\b(?:Set|Map)\b)/s;

/** Checks whether a class of a file has a field with a collection of what waits. */
function keepsWaiters(path: string, text: string): boolean {
  let isFound = false;
  walk(parseSource(path, text).program, ({ type, start, end }) => {
    if (type === 'PropertyDefinition' && KEPT.test(text.slice(start, end))) isFound = true;
  });
  return isFound;
}

function opensQueue(path: string, text: string): boolean {
  let isFound = false;
  walk(parseSource(path, text).program, ({ type, callee }) => {
    const { name } = (callee ?? {}) as { name?: string };
    if (type === 'NewExpression' && name !== undefined && QUEUES.test(name)) isFound = true;
  });
  return isFound;
}

describe('a share', () => {
  const capacities = computeCapacities({ pdfSlots: 64, bodyMemoryMb: 192 });

  it('has no more places than the queues behind it, in which nothing waits then', () => {
    assert.ok(capacities.pageConnections <= EGRESS_CONNECTIONS / 2);
    assert.ok(capacities.dnsLookups + EGRESS_CONNECTIONS < DEFAULT_LIMITS.maxConcurrent);
  });
});

describe('only concurrency/ and limits/ define queues', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT })
    .filter((path) => !/\.test\.ts$|\.d\.ts$/.test(path))
    .toSorted()
    .map((path) => [path, load(path)] as const);

  it('no other file keeps what waits', () => {
    const found = files.filter(([path, text]) => !DEFINED_IN.test(path) && keepsWaiters(path, text));
    assert.deepEqual(
      found.map(([path]) => path),
      Object.keys(OWN_ORDER),
      'wait with Shares, a Semaphore or HostPlaces',
    );
  });

  it('each queue that accounts share has a test with two of them', () => {
    const opening = files.filter(
      ([path, text]) => !path.startsWith('src/concurrency/') && opensQueue(path, text),
    );
    assert.deepEqual(opening.map(([path]) => path).toSorted(), Object.keys(USES).toSorted());
    for (const [bound, test, title] of Object.values(USES))
      assert.ok(load(test).includes(title), `${test} has no test "${title}" (${bound})`);
  });

  for (const text of [
    'class Q { readonly #waiting = new Set<() => void>(); }',
    'class Q { #queue: Job[] = []; }',
    'class Q { waiters = new Map<string, Waiter[]>(); }',
    'class Q { readonly #queued: Set<number>; }',
  ])
    it(`a planted queue is found: ${text}`, () => assert.ok(keepsWaiters('x.ts', text)));

  it('a planted use is found', () => {
    assert.ok(opensQueue('x.ts', 'const places = new Semaphore(1, 2);'));
    assert.ok(!opensQueue('x.ts', 'let isQueued = new Set(); // new Semaphore()'));
  });
});
