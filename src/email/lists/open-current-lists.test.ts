import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type CurrentLists,
  type CurrentListsOptions,
  loadSavedLists,
  openCurrentLists,
} from './open-current-lists.ts';
import {
  acceptCopy,
  type FetchList,
  type FetchResult,
  type ListStatus,
  loadListStatus,
} from './stored-lists.ts';
import { patientMs } from '../../../test/support/patience.ts';

// The operator says that these are reviewed: each name is disposable without a second source.
const ONE = 'https://one.example/list.txt#reviewed';
const TWO = 'https://two.example/list.json#reviewed';
const DAY_MS = 86_400_000;

describe('openCurrentLists', () => {
  let root: string;
  let dataDir: string;
  let nowMs = 1_800_000_000_000;
  let logged: string[] = [];
  /** The next response of each list, or the error of its fetch. */
  const served = new Map<string, FetchResult | Error>();
  let fetched: string[] = [];

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'current-lists-'));
  });
  after(() => rm(root, { recursive: true, force: true }));

  const fetchList: FetchList = async (url) => {
    fetched.push(url);
    const result = served.get(url) ?? new Error('no route');
    if (result instanceof Error) throw result;
    return result;
  };

  function serve(url: string, prefix: string, count = 1000): void {
    const text = Array.from({ length: count }, (_, at) => `${prefix}-${at}.com`).join('\n');
    served.set(url, { status: 'fresh', text, etag: null });
  }

  /** Opens the lists in a folder of their own, or in that of the lists before. */
  async function open(
    options: Partial<CurrentListsOptions> = {},
    isRestart = false,
  ): Promise<CurrentLists & AsyncDisposable> {
    if (!isRestart) dataDir = await mkdtemp(join(root, 'case-'));
    logged = [];
    fetched = [];
    const current = await openCurrentLists({
      dataDir,
      urls: [ONE, TWO],
      allowedFile: null,
      blockedFile: null,
      now: () => nowMs,
      log: (_level, message, facts) => logged.push(`${message} ${JSON.stringify(facts)}`),
      checkMs: 5,
      ...options,
    });
    return Object.assign(current, { [Symbol.asyncDispose]: () => current.close() });
  }

  async function until(check: () => boolean | Promise<boolean>): Promise<void> {
    for (const endMs = performance.now() + patientMs(10_000); !(await check()); await delay(2))
      assert.ok(performance.now() < endMs, 'not within the time of this test');
  }

  function findStatus(lists: readonly ListStatus[], source: string): ListStatus {
    const status = lists.find((list) => list.source === source);
    assert.ok(status, `no status of ${source}`);
    return status;
  }

  /** Finds what the process saved last; it saves in the background. */
  async function findSaved(source: string): Promise<ListStatus | undefined> {
    return (await loadListStatus(dataDir))?.find((list) => list.source === source);
  }

  it('uses the bundled list and each fetched one together; each fails for itself', async () => {
    serve(ONE, 'first');
    served.set(TWO, new Error('503 from the server'));
    await using current = await open();
    current.start(fetchList);
    await until(() => findStatus(current.getStatus(), TWO).refresh !== null && fetched.length === 2);
    await until(() => current.lists.disposable.has('first-7.com'));
    assert.equal(current.lists.disposable.has('yopmail.com'), true);
    assert.equal(current.lists.disposable.has('second-7.com'), false);
    const failed = findStatus(current.getStatus(), TWO).refresh;
    assert.deepEqual(failed, { atMs: nowMs, outcome: 'failed', reason: '503 from the server' });
    assert.equal(findStatus(current.getStatus(), ONE).refresh?.outcome, 'replaced');
  });

  it('after a restart it has the saved copies, and fetches only a list whose refresh is due', async () => {
    serve(ONE, 'first');
    serve(TWO, 'second');
    {
      await using current = await open();
      current.start(fetchList);
      await until(() => current.getStatus().every(({ kind, refresh }) => kind === 'bundled' || refresh));
    }
    nowMs += DAY_MS / 2;
    await using current = await open({}, true);
    for (const name of ['first-7.com', 'second-7.com', 'yopmail.com'])
      assert.equal(current.lists.disposable.has(name), true, name);
    current.start(fetchList);
    await delay(50);
    assert.deepEqual(fetched, []);
    await current.close();
    nowMs += DAY_MS / 2;
    await using later = await open({}, true);
    later.start(fetchList);
    await until(() => fetched.length === 2);
  });

  it('deletes the copies of a list that is no longer configured, and no other file', async () => {
    serve(ONE, 'first');
    serve(TWO, 'second');
    {
      await using current = await open();
      current.start(fetchList);
      await until(() => current.getStatus().every(({ kind, refresh }) => kind === 'bundled' || refresh));
    }
    await writeFile(join(dataDir, 'lists', 'notes.txt'), 'of the operator');
    {
      await using current = await open({ urls: [ONE] }, true);
      assert.equal(current.lists.disposable.has('first-7.com'), true);
      assert.equal(current.lists.disposable.has('second-7.com'), false);
      assert.deepEqual(logged, ['copies of lists that are no longer configured were deleted {"files":1}']);
    }
    const files = await readdir(join(dataDir, 'lists'));
    assert.equal(files.includes('notes.txt'), true);
    await using current = await open({}, true);
    assert.equal(current.lists.disposable.has('first-7.com'), true);
    assert.equal(current.lists.disposable.has('second-7.com'), false, 'not from an old copy');
  });

  it('fetches again after the interval', async () => {
    serve(ONE, 'first');
    await using current = await open({ urls: [ONE], intervalMs: 20 });
    current.start(fetchList);
    await until(() => fetched.length >= 3);
  });

  it('after a failure it fetches again sooner, and after a success not before the interval', async () => {
    served.set(ONE, new Error('an outage'));
    await using current = await open({ urls: [ONE], retryMs: 5 });
    current.start(fetchList);
    await until(() => fetched.length === 3);
    serve(ONE, 'first');
    await until(() => current.lists.disposable.has('first-7.com'));
    const { length } = fetched;
    await delay(50);
    assert.equal(fetched.length, length);
  });

  it('saves the status for other processes, and uses what they accept', async () => {
    serve(ONE, 'first');
    await using current = await open({ urls: [ONE], intervalMs: 20 });
    current.start(async (url, options) => {
      const result = await fetchList(url, options);
      // Then the check for changes of files must notice the acceptance, not a refresh.
      served.set(url, new Error('an outage'));
      return result;
    });
    await until(() => current.lists.disposable.has('first-7.com'));
    serve(ONE, 'first', 2000);
    await until(async () => {
      const saved = await findSaved(ONE);
      return saved?.offered?.entries === 2000 && saved.entries === 1000;
    });
    assert.equal(await acceptCopy(dataDir, ONE), true);
    assert.equal((await findSaved(ONE))?.offered, null, 'at once');
    await until(() => current.lists.disposable.has('first-1999.com'));
    await until(async () => (await findSaved(ONE))?.entries === 2000);
    assert.match(logged.join('\n'), /the operator accepted a list/);
  });

  it('accept uses the list that is offered', async () => {
    serve(ONE, 'first');
    await using current = await open({ urls: [ONE], intervalMs: 20 });
    current.start(fetchList);
    await until(() => current.lists.disposable.has('first-7.com'));
    assert.equal(await current.accept(ONE), false);
    serve(ONE, 'first', 2000);
    await until(() => findStatus(current.getStatus(), ONE).offered !== null);
    served.set(ONE, { status: 'not_modified' });
    assert.equal(await current.accept('https://unknown.example/'), false);
    assert.equal(await current.accept(ONE), true);
    assert.equal(current.lists.disposable.has('first-1999.com'), true);
  });

  it('a name of one list is suspected, of two disposable; the status counts the suspected ones', async () => {
    const one = 'https://one.example/list.txt';
    const two = 'https://two.example/list.txt';
    serve(one, 'both');
    serve(two, 'both', 1200);
    await using current = await open({ urls: [one, two] });
    current.start(fetchList);
    await until(() => current.lists.disposable.has('both-7.com'));
    assert.equal(current.lists.disposable.has('both-1100.com'), false);
    assert.equal(current.lists.suspected.has('both-1100.com'), true);
    await until(async () => (await findSaved(two))?.suspected === 200);
    assert.equal((await findSaved(one))?.suspected, 0);
    const [bundled] = current.getStatus();
    assert.ok(bundled?.suspected && bundled.suspected < bundled.entries);
    await current.close();
    await using restarted = await open({ urls: [one, two] }, true);
    assert.equal(findStatus(restarted.getStatus(), two).suspected, 200, 'known before it is counted again');
  });

  it('another process loads the lists as they were last used, and changes nothing', async () => {
    serve(ONE, 'first');
    const blockedFile = join(root, 'blocked-too.txt');
    await writeFile(blockedFile, 'acme.net\n');
    await using current = await open({ urls: [ONE], blockedFile });
    current.start(fetchList);
    await until(() => current.lists.disposable.has('first-7.com'));
    await until(async () => (await findSaved(ONE))?.entries === 1000);
    await current.close();
    const before = await readdir(join(dataDir, 'lists'));
    const saved = await loadSavedLists(dataDir, () => nowMs);
    assert.equal(saved.disposable.has('first-7.com'), true);
    assert.equal(saved.operator.blocked.has('acme.net'), true);
    assert.deepEqual(await readdir(join(dataDir, 'lists')), before);
    const none = await loadSavedLists(join(root, 'no-folder'), () => nowMs);
    assert.equal(none.disposable.has('yopmail.com'), true, 'the bundled list, before the service has run');
  });

  it('reads the operator’s files again when they change', async () => {
    const allowedFile = join(root, 'allowed.txt');
    const blockedFile = join(root, 'blocked.txt');
    await writeFile(allowedFile, 'acme.com\n');
    await writeFile(blockedFile, '');
    await using current = await open({ urls: [], allowedFile, blockedFile });
    assert.equal(current.lists.operator.allowed.has('acme.com'), true);
    current.start(fetchList);
    const before = current.lists.operator;
    await writeFile(blockedFile, 'acme.org\n');
    await until(() => current.lists.operator.blocked.has('acme.org'));
    assert.notEqual(current.lists.operator, before, 'replaced, so that caches follow');
    assert.equal(current.lists.operator.allowed.has('acme.com'), true);
    await until(async () => (await findSaved(blockedFile))?.entries === 1);
  });

  it('rejects if a file of the operator is bad, with its path and line', async () => {
    const blockedFile = join(root, 'bad.txt');
    await writeFile(blockedFile, 'acme.org\nno domain\n');
    await assert.rejects(open({ blockedFile }), /bad\.txt, line 2: «no domain» is not a domain/);
    await assert.rejects(open({ allowedFile: join(root, 'none') }), /none, it cannot be read: ENOENT/);
  });

  it('close cancels a pending fetch without a line in the log, and a closed one fetches no more', async () => {
    await using current = await open({ urls: [ONE] });
    let calls = 0;
    let hasEnded = false;
    current.start((_url, _options, signal) => {
      calls++;
      return new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () =>
          setTimeout(() => {
            hasEnded = true;
            reject(new Error('aborted'));
          }, 20),
        ),
      );
    });
    await until(() => calls === 1);
    await current.close();
    assert.equal(hasEnded, true, 'close waits for its end');
    await delay(20);
    assert.equal(calls, 1);
    assert.deepEqual(logged, []);
  });

  it('a folder that is not writable is logged, and the lists are used', async () => {
    serve(ONE, 'first');
    const folder = join(root, 'file');
    await writeFile(folder, 'in the way');
    await using current = await open({ urls: [ONE], dataDir: folder });
    current.start(fetchList);
    await until(() => current.lists.disposable.has('first-7.com'));
    await current.close();
    assert.match(logged.join('\n'), /the status of the lists was not saved/);
    assert.equal(await readFile(folder, 'utf8'), 'in the way');
  });
});
