/** `npm run admin -- lists` with the files of a service. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { runCli } from '#cli';
import { type CurrentLists, type FetchResult, openCurrentLists } from '#email';
import { openStorage, type Storage } from '#storage';
import { formatNames } from '../email/list-server.ts';

const NOW = Date.UTC(2026, 5, 1);
const HOUR_MS = 3_600_000;
const ONE = 'https://one.example/list.txt';
const TWO = 'https://two.example/list.txt';
let root: string;
let storage: Storage;

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'cli-lists-'));
  storage = await openStorage({ dataDir: root, watchIntervalMs: 0 });
});
after(async () => {
  await storage.close();
  await rm(root, { recursive: true });
});

function run(line: string, dataDir: string) {
  return runCli(
    line.split(' '),
    async () => ({
      ...storage,
      origin: 'http://service.example',
      readReadiness: async () => null,
      copyDatabase: null,
      plans: new Map(),
      dataDir,
      now: () => NOW + 5 * HOUR_MS,
    }),
    () => assert.fail('not the files'),
  );
}

/** Runs the lists of a service until each URL has served its texts, then ends it. */
async function runService(texts: Readonly<Record<string, (string | Error)[]>>): Promise<string> {
  const dataDir = await mkdtemp(join(root, 'case-'));
  const left = Object.values(texts).flat();
  const service: CurrentLists = await openCurrentLists({
    dataDir,
    urls: Object.keys(texts),
    allowedFile: null,
    blockedFile: null,
    now: () => NOW,
    log: () => {},
    intervalMs: 5,
  });
  const done = Promise.withResolvers<void>();
  service.start(async (url): Promise<FetchResult> => {
    const text = texts[url]?.shift();
    if (text === undefined) {
      if (Object.values(texts).every((rest) => rest.length === 0)) done.resolve();
      return { status: 'not_modified' };
    }
    if (text instanceof Error) throw text;
    return { status: 'fresh', text, etag: null };
  });
  assert.ok(left.length > 0);
  await done.promise;
  await service.close();
  return dataDir;
}

it('lists shows source, domains, age, the last refresh and its result with what was dropped', async () => {
  const dataDir = await runService({ [ONE]: [`${formatNames(1000)}co.uk\npp.ua\ngmail.com\n`] });
  const { stdout, exitCode } = await run('lists', dataDir);
  assert.equal(exitCode, 0);
  const [head, bundled, one, ...rest] = stdout.trim().split('\n');
  assert.match(head ?? '', /^SOURCE +DOMAINS +AGE +LAST REFRESH +RESULT$/);
  assert.match(bundled ?? '', /^built in +\d{4,}$/);
  assert.match(
    one ?? '',
    /^https:\/\/one\.example\/list\.txt +1000 +5 h +2026-06-01T00:00:00Z +unchanged; dropped: 0 malformed, 2 public suffixes, 1 providers$/,
  );
  assert.deepEqual(rest, []);
  assert.deepEqual(JSON.parse((await run('lists --json', dataDir)).stdout)[1], {
    kind: 'fetched',
    source: ONE,
    entries: 1000,
    updated_at: '2026-06-01T00:00:00Z',
    dropped: { malformed: 0, public_suffix: 2, never_disposable: 1 },
    refreshed_at: '2026-06-01T00:00:00Z',
    outcome: 'unchanged',
    reason: null,
    offered: null,
  });
});

it('lists accept accepts what is offered, of all lists or of one', async () => {
  const change = [formatNames(1000), formatNames(2000)];
  const dataDir = await runService({ [ONE]: [...change], [TWO]: [...change] });
  assert.match(
    (await run('lists', dataDir)).stdout,
    /one\.example.*1000 .*offered; 2000 domains of 2026-06-01T00:00:00Z wait for «lists accept»/,
  );
  const unknown = await run('lists accept --source https://three.example/', dataDir);
  assert.deepEqual([unknown.exitCode, unknown.stdout], [1, '']);
  assert.match(unknown.stderr, /There is no list https:\/\/three\.example\/: lists shows them\./);
  const first = await run(`lists accept --source ${TWO}`, dataDir);
  assert.equal(first.stdout, `Accepted ${TWO}: 2000 domains instead of 1000.\n`);
  const second = await run('lists accept', dataDir);
  assert.equal(second.stdout, `Accepted ${ONE}: 2000 domains instead of 1000.\n`);
  const third = await run('lists accept', dataDir);
  assert.equal(third.exitCode, 1);
  assert.match(third.stderr, /No change waits to be accepted/);
});
