import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadDomainLists } from './domain-lists.ts';
import type { FetchResult } from './stored-lists.ts';
import { FetchedList } from './fetched-list.ts';
import { acceptCopy } from './stored-lists.ts';

const URL_OF_LIST = 'https://lists.example/domains.txt';
const NOW = 1_800_000_000_000;

function listNames(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `throwaway-${at}.com`);
}

function fresh(names: string[], etag: string | null = null): FetchResult {
  return { status: 'fresh', text: names.join('\n'), etag };
}

describe('FetchedList', () => {
  const lists = loadDomainLists();
  let dataDir: string;
  let etags: (string | null)[] = [];
  let logged: string[] = [];

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'fetched-list-'));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  /** Opens a list. Its fetches return `answers`, one after the other. */
  async function open(answers: (FetchResult | Error)[], folder?: string, url = URL_OF_LIST) {
    etags = [];
    logged = [];
    const list = new FetchedList({
      url,
      dataDir: folder ?? (await openFolder()),
      lists,
      now: () => NOW,
      log: (_level, message, facts) => logged.push(`${message}: ${JSON.stringify(facts)}`),
    });
    await list.load(null);
    const fetchList = async (_url: string, { etag }: { etag: string | null }): Promise<FetchResult> => {
      etags.push(etag);
      const answer = answers.shift();
      if (answer === undefined) return { status: 'not_modified' };
      if (answer instanceof Error) throw answer;
      return answer;
    };
    return { list, refresh: () => list.refresh(fetchList, new AbortController().signal) };
  }

  function openFolder(): Promise<string> {
    return mkdtemp(join(dataDir, 'case-'));
  }

  it('uses and saves the fetched domains', async () => {
    const folder = await openFolder();
    const { list, refresh } = await open([fresh(listNames(1500), '"one"')], folder);
    const before = list.names;
    assert.equal(await refresh(), 'replaced');
    assert.equal(before.size, 0, 'a set in use is never changed');
    assert.deepEqual([...list.names], listNames(1500));
    const [file = '', ...others] = await readdir(join(folder, 'lists'));
    assert.deepEqual(others, []);
    assert.match(await readFile(join(folder, 'lists', file), 'utf8'), /^# \{"url".*\nthrowaway-0\.com\n/);
  });

  it('uses a list without its bad entries, and logs and shows their number by kind', async () => {
    const names = [...listNames(2000), 'co.uk', 'github.io', 'Gmail.com', 'not a domain'];
    const { list, refresh } = await open([fresh(names)]);
    assert.equal(await refresh(), 'replaced');
    assert.deepEqual([...list.names], listNames(2000));
    const dropped = { malformed: 1, public_suffix: 2, never_disposable: 1 };
    assert.ok(logged.at(-1)?.includes(`"entries":2000,"dropped":${JSON.stringify(dropped)}`));
    assert.deepEqual(list.status, {
      kind: 'fetched',
      source: URL_OF_LIST,
      entries: 2000,
      suspected: null,
      updatedAtMs: NOW,
      dropped,
      refresh: { atMs: NOW, outcome: 'replaced', reason: null },
      offered: null,
    });
  });

  it('loads the saved copy at the start and sends its ETag', async () => {
    const folder = await openFolder();
    const first = await open([fresh(listNames(1500), '"one"')], folder);
    await first.refresh();
    const { list, refresh } = await open([], folder);
    assert.equal(list.names.size, 1500);
    assert.equal(list.status.updatedAtMs, NOW);
    assert.equal(await refresh(), 'unchanged');
    assert.deepEqual(etags, ['"one"']);
    const other = await open([], folder, 'https://elsewhere.example/list.txt');
    assert.equal(other.list.names.size, 0, 'a list from another address');
  });

  for (const [what, entries, pattern] of [
    ['has over 2 % bad entries', [...listNames(2000), ...Array(41).fill('co.uk')], /41 of its 2041 entries/],
    ['is a page', ['<html>', '<body>Not found</body>', '</html>'], /3 of its 3 .*<html>/],
    ['is almost empty', listNames(3), /3 entries/],
    ['is over the cap', ['x'.repeat(9 * 1024 * 1024)], /over 8388608 bytes/],
  ] as const) {
    it(`refuses a list that ${what}, and keeps the one before`, async () => {
      const folder = await openFolder();
      const { list, refresh } = await open([fresh(listNames(2000)), fresh([...entries])], folder);
      assert.equal(await refresh(), 'replaced');
      const { names } = list;
      assert.equal(await refresh(), 'refused');
      assert.equal(list.names, names);
      assert.match(logged.at(-1) ?? '', pattern);
      assert.match(list.status.refresh?.reason ?? '', pattern);
      assert.equal((await open([], folder)).list.names.size, 2000, 'the saved copy');
    });
  }

  it('uses a list that changes by 30 % at most', async () => {
    const { refresh } = await open([fresh(listNames(2000)), fresh(listNames(2600)), fresh(listNames(1820))]);
    assert.deepEqual([await refresh(), await refresh(), await refresh()], Array(3).fill('replaced'));
  });

  for (const [what, count] of [
    ['shrinks', 1399],
    ['grows', 2601],
  ] as const) {
    it(`offers a list that ${what} by over 30 %, again at each refresh, until it is accepted`, async () => {
      const folder = await openFolder();
      const { list, refresh } = await open(
        [fresh(listNames(2000), '"one"'), fresh(listNames(count), '"two"')],
        folder,
      );
      await refresh();
      assert.equal(await refresh(), 'offered');
      assert.match(logged.at(-1) ?? '', /lists accept.*"entriesBefore":2000/);
      assert.equal(list.names.size, 2000);
      assert.deepEqual(list.status.offered, { entries: count, fetchedAtMs: NOW });
      logged = [];
      assert.equal(await refresh(), 'offered');
      assert.equal(logged.length, 1);
      assert.deepEqual(etags, [null, '"one"', '"two"']);
      assert.equal(await list.accept(), true);
      assert.deepEqual([...list.names], listNames(count));
      assert.equal(list.status.offered, null);
      assert.equal(list.status.refresh?.outcome, 'accepted');
      assert.equal(await refresh(), 'unchanged');
      assert.equal((await open([], folder)).list.names.size, count, 'the saved copy');
      assert.equal(await list.accept(), false, 'nothing is offered any more');
    });
  }

  it('uses the list that another process accepted', async () => {
    const folder = await openFolder();
    const { list, refresh } = await open([fresh(listNames(2000)), fresh(listNames(4000), '"two"')], folder);
    await refresh();
    await refresh();
    assert.equal(await list.adopt(), false);
    assert.equal(await acceptCopy(folder, URL_OF_LIST), true);
    assert.equal(await list.adopt(), true);
    assert.equal(list.names.size, 4000);
    assert.equal(await list.adopt(), false, 'once');
    assert.equal(await refresh(), 'unchanged');
    assert.equal(etags.at(-1), '"two"');
  });

  it('a refresh after the acceptance compares with the accepted list', async () => {
    const folder = await openFolder();
    const { list, refresh } = await open(
      [fresh(listNames(2000)), fresh(listNames(4000)), fresh(listNames(4001))],
      folder,
    );
    await refresh();
    await refresh();
    await acceptCopy(folder, URL_OF_LIST);
    assert.equal(await refresh(), 'replaced');
    assert.equal(list.names.size, 4001);
  });

  it('an offer is kept over a restart, and withdrawn if the list returns to its size', async () => {
    const folder = await openFolder();
    const first = await open([fresh(listNames(2000)), fresh(listNames(4000))], folder);
    await first.refresh();
    await first.refresh();
    const { list, refresh } = await open([fresh(listNames(2001))], folder);
    assert.equal(list.status.offered?.entries, 4000);
    assert.equal(await refresh(), 'replaced');
    assert.equal(list.status.offered, null);
    assert.equal(await acceptCopy(folder, URL_OF_LIST), false);
  });

  it('keeps the list before if the fetch fails', async () => {
    const { list, refresh } = await open([fresh(listNames(1500)), new Error('503 from the server')]);
    await refresh();
    assert.equal(await refresh(), 'failed');
    assert.equal(list.names.size, 1500);
    assert.match(logged.at(-1) ?? '', /not fetched.*503 from the server/);
    assert.equal(list.status.refresh?.reason, '503 from the server');
  });

  it('uses the list in memory if the folder is not writable; then nothing can be accepted', async () => {
    const folder = join(await openFolder(), 'file');
    await writeFile(folder, 'in the way');
    const { list, refresh } = await open([fresh(listNames(1500)), fresh(listNames(3000), '"two"')], folder);
    assert.equal(await refresh(), 'replaced');
    assert.equal(list.names.size, 1500);
    assert.match(logged.at(-1) ?? '', /not saved/);
    assert.equal(await refresh(), 'offered');
    assert.equal(list.status.offered, null);
    await refresh();
    assert.equal(etags.at(-1), null, 'the list is fetched again');
  });

  it('does not use a saved copy that is incomplete or of another list', async () => {
    const folder = await openFolder();
    await (await open([fresh(listNames(1500))], folder)).refresh();
    const [file = ''] = await readdir(join(folder, 'lists'));
    const saved = await readFile(join(folder, 'lists', file), 'utf8');
    for (const text of [
      '',
      '# {"url"',
      `# null\n${listNames(1500).join('\n')}`,
      saved.slice(0, -20),
      saved.replace('lists.example', 'other.example'),
    ]) {
      await writeFile(join(folder, 'lists', file), text);
      assert.equal((await open([], folder)).list.names.size, 0, text.slice(0, 40));
    }
    await writeFile(join(folder, 'lists', file), saved);
    assert.equal((await open([], folder)).list.names.size, 1500);
  });
});
