/** `npm run admin -- lists` with the files of a service. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
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
  assert.match(head ?? '', /^SOURCE +DOMAINS +SUSPECTED +AGE +LAST REFRESH +RESULT$/);
  assert.match(bundled ?? '', /^built in +\d{4,} +\d{4,}$/);
  assert.match(
    one ?? '',
    /^https:\/\/one\.example\/list\.txt +1000 +1000 +5 h +2026-06-01T00:00:00Z +unchanged; dropped: 0 malformed, 2 public suffixes, 1 providers$/,
  );
  assert.deepEqual(rest, []);
  assert.deepEqual(JSON.parse((await run('lists --json', dataDir)).stdout)[1], {
    kind: 'fetched',
    source: ONE,
    entries: 1000,
    suspected: 1000,
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

describe('lists explain', () => {
  let dataDir: string;
  before(async () => {
    dataDir = await runService({ [ONE]: [formatNames(1000)] });
  });

  it('shows who says what about a domain or its parent, when and where, and what validateEmail says', async () => {
    const { stdout, exitCode } = await run('lists explain mail.yopmail.com', dataDir);
    assert.equal(exitCode, 0);
    const [head, titles, first, ...rest] = stdout.trim().split('\n');
    assert.equal(head, 'mail.yopmail.com: disposable, listed as the parent yopmail.com');
    assert.match(titles ?? '', /^DOMAIN +SOURCE +SAYS +DATE +BECAUSE +URL$/);
    assert.match(
      first ?? '',
      /^yopmail\.com +\S+ +disposable +(?:\d{4}-\d\d|–) +\S.*?(?: +https:\/\/github\.com\/\S+)?$/,
    );
    assert.equal(
      rest.at(-1),
      'validateEmail without DNS: {"disposable":true,"did_you_mean":null,"verdict":"risky","reasons":["disposable","not_checked"],"score":0.06}',
    );
  });

  it('shows a name of a fetched list as suspected, with the URL of the list', async () => {
    const { stdout } = await run('lists explain ann@throwaway-7.com --json', dataDir);
    assert.deepEqual(JSON.parse(stdout), {
      domain: 'throwaway-7.com',
      grade: 'suspected',
      evidence: [
        {
          name: 'throwaway-7.com',
          source: 'fetched_list',
          says: 'disposable',
          date: null,
          title: 'on a list that is fetched',
          url: ONE,
        },
      ],
      result: {
        disposable: false,
        did_you_mean: null,
        verdict: 'risky',
        reasons: ['suspected_disposable', 'not_checked'],
        score: 0.3,
      },
    });
  });

  it('says so if no list has a domain, and if it is not disposable', async () => {
    const unknown = await run('lists explain acme.com', dataDir);
    assert.match(unknown.stdout, /^No list has acme\.com\.\nvalidateEmail .*"reasons":\["not_checked"\]/);
    assert.equal(
      JSON.parse((await run('lists explain acme.com --json', dataDir)).stdout).grade,
      'not_listed',
    );
    const provider = await run('lists explain gmail.com', join(root, 'not-run'));
    assert.match(provider.stdout, /^gmail\.com: not disposable\n/);
  });

  it('refuses what is no domain, as a malformed command line', async () => {
    const bad = await run('lists explain acme..com', dataDir);
    assert.deepEqual([bad.exitCode, bad.stdout], [2, '']);
    assert.equal(bad.stderr, '«acme..com» is not a domain. Usage: lists explain <domain>\n');
    assert.equal((await run('lists explain', dataDir)).exitCode, 2);
  });
});
