import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type DomainLists, loadDomainLists } from './domain-lists.ts';
import { type FetchedList, openListRefresh } from './open-list-refresh.ts';

const URL_OF_LIST = 'https://lists.example/domains.txt';
const DAY_MS = 86_400_000;

function listNames(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `throwaway-${at}.com`);
}

function fresh(names: string[], etag: string | null = null): FetchedList {
  return { status: 'fresh', text: names.join('\n'), etag };
}

describe('openListRefresh', () => {
  const bundled = loadDomainLists();
  let dataDir: string;
  let requests: { etag: string | null; maxBytes: number }[] = [];
  let logged: string[] = [];

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'list-refresh-'));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  /** Opens a refresh with its own copy of the lists. The fetches return `answers`, one after the other. */
  async function open(answers: (FetchedList | Error)[], folder = dataDir, url = URL_OF_LIST) {
    requests = [];
    logged = [];
    const lists: DomainLists = { ...bundled };
    const refresh = await openListRefresh({
      url,
      dataDir: folder,
      lists,
      now: () => 1_800_000_000_000,
      log: (_level, message, facts) => logged.push(`${message}: ${JSON.stringify(facts)}`),
      intervalMs: DAY_MS,
      fetchList: async (_url, options) => {
        requests.push(options);
        const answer = answers.shift();
        if (answer === undefined) return { status: 'not_modified' };
        if (answer instanceof Error) throw answer;
        return answer;
      },
    });
    return { lists, refresh };
  }

  async function openFolder(): Promise<string> {
    return mkdtemp(join(dataDir, 'case-'));
  }

  it('adds the fetched domains to the bundled ones and saves them', async () => {
    const folder = await openFolder();
    const { lists, refresh } = await open([fresh(listNames(1500), '"one"')], folder);
    const seen = lists.disposable;
    assert.equal(await refresh.refresh(), 'replaced');
    assert.equal(seen.has('throwaway-7.com'), false, 'a set in use is never changed');
    assert.equal(lists.disposable.has('throwaway-7.com'), true);
    assert.equal(lists.disposable.has('yopmail.com'), true);
    assert.deepEqual(await readdir(folder), ['disposable-domains.txt']);
    assert.match(
      await readFile(join(folder, 'disposable-domains.txt'), 'utf8'),
      /^# \{"url".*\nthrowaway-0\.com\n/,
    );
    await refresh.close();
  });

  it('loads the saved list at the start and sends its ETag', async () => {
    const folder = await openFolder();
    const first = await open([fresh(listNames(1500), '"one"')], folder);
    await first.refresh.refresh();
    await first.refresh.close();
    const second = await open([{ status: 'not_modified' }], folder);
    assert.equal(second.lists.disposable.has('throwaway-7.com'), true);
    assert.equal(await second.refresh.refresh(), 'unchanged');
    assert.deepEqual(requests, [{ etag: '"one"', maxBytes: 8 * 1024 * 1024 }]);
    await second.refresh.close();
    const other = await open([], folder, 'https://elsewhere.example/list.txt');
    assert.equal(other.lists.disposable.has('throwaway-7.com'), false, 'a list from another address');
    await other.refresh.close();
  });

  for (const [what, entries, pattern] of [
    ['shrinks by over 30 %', listNames(1380), /1380 entries/],
    ['grows by over 30 %', listNames(2610), /2610 entries/],
    ['has over 2 % bad entries', [...listNames(2000), ...Array(41).fill('co.uk')], /41 of its 2041 entries/],
    ['is a page', ['<html>', '<body>Not found</body>', '</html>'], /3 of its 3 .*<html>/],
    ['is almost empty', listNames(3), /3 entries/],
  ] as const) {
    it(`refuses a list that ${what}, and keeps the current one`, async () => {
      const folder = await openFolder();
      const { lists, refresh } = await open([fresh(listNames(2000)), fresh([...entries])], folder);
      assert.equal(await refresh.refresh(), 'replaced');
      const seen = lists.disposable;
      const saved = await readFile(join(folder, 'disposable-domains.txt'), 'utf8');
      assert.equal(await refresh.refresh(), 'refused');
      assert.equal(lists.disposable, seen);
      assert.match(logged.at(-1) ?? '', pattern);
      assert.equal(await readFile(join(folder, 'disposable-domains.txt'), 'utf8'), saved);
      await refresh.close();
    });
  }

  it('uses a list without its bad entries, and logs their number by kind', async () => {
    const names = [...listNames(2000), 'co.uk', 'github.io', 'Gmail.com', 'not a domain'];
    const { lists, refresh } = await open([fresh(names)], await openFolder());
    assert.equal(await refresh.refresh(), 'replaced');
    assert.equal(lists.disposable.has('throwaway-7.com'), true);
    assert.equal(lists.disposable.has('github.io'), false);
    assert.match(
      logged.at(-1) ?? '',
      /"entries":2000,"dropped":\{"malformed":1,"public_suffix":2,"never_disposable":1\}/,
    );
    await refresh.close();
  });

  it('accepts a list that changes by 30 % at most', async () => {
    const { refresh } = await open(
      [fresh(listNames(2000)), fresh(listNames(2600)), fresh(listNames(1820))],
      await openFolder(),
    );
    assert.equal(await refresh.refresh(), 'replaced');
    assert.equal(await refresh.refresh(), 'replaced');
    assert.equal(await refresh.refresh(), 'replaced');
    await refresh.close();
  });

  it('refuses a text over the cap', async () => {
    const { refresh } = await open([fresh(['x'.repeat(9 * 1024 * 1024)])], await openFolder());
    assert.equal(await refresh.refresh(), 'refused');
    await refresh.close();
  });

  it('keeps the current list if the fetch fails, and logs it without rejecting', async () => {
    const { lists, refresh } = await open([new Error('503 from the server')], await openFolder());
    assert.equal(await refresh.refresh(), 'failed');
    assert.equal(lists.disposable, bundled.disposable);
    assert.match(logged[0] ?? '', /503 from the server/);
    await refresh.close();
  });

  it('uses the list in memory if the folder is not writable', async () => {
    const folder = join(await openFolder(), 'file');
    await writeFile(folder, 'in the way');
    const { lists, refresh } = await open([fresh(listNames(1500))], folder);
    assert.equal(await refresh.refresh(), 'replaced');
    assert.equal(lists.disposable.has('throwaway-7.com'), true);
    assert.match(logged.at(-1) ?? '', /not saved/);
    await refresh.close();
  });

  it('refuses a saved file that is incomplete or was changed', async () => {
    const folder = await openFolder();
    const path = join(folder, 'disposable-domains.txt');
    for (const text of [
      '',
      '# {"url"',
      `# {"url":"${URL_OF_LIST}"}\ngmail.com\n`,
      `# null\n${listNames(1500).join('\n')}`,
    ]) {
      await writeFile(path, text);
      const { lists, refresh } = await open([], folder);
      assert.equal(lists.disposable, bundled.disposable);
      await refresh.close();
    }
  });

  it('fetches once for concurrent calls, and close cancels the fetch', async () => {
    let calls = 0;
    const refresh = await openListRefresh({
      url: URL_OF_LIST,
      dataDir: await openFolder(),
      lists: { ...bundled },
      now: () => 0,
      log: () => assert.fail('a cancelled fetch is not logged'),
      intervalMs: DAY_MS,
      fetchList: (_url, _options, signal) => {
        calls++;
        return new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(new Error('aborted'))),
        );
      },
    });
    const pending = [refresh.refresh(), refresh.refresh()];
    await refresh.close();
    assert.deepEqual(await Promise.all(pending), ['failed', 'failed']);
    assert.equal(calls, 1);
  });
});
