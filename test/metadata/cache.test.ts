import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import {
  type CacheEntry,
  type FetchPage,
  type FetchPageRequest,
  getMetadata,
  type GetMetadataRequest,
  type MetadataCache,
  openMetadataCache,
  type PageEnd,
} from '#metadata';

const URL_A = 'http://a.example/';

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  end?: PageEnd;
  error?: ApiError;
  body?: string;
}

/** One site, whose title is the number of the fetch, with a cache and a clock. */
function setUp(answer: Answer = {}, cache?: MetadataCache | null) {
  const clock = { ms: Date.UTC(2026, 10, 22) };
  const requests: FetchPageRequest[] = [];
  const fetchPage: FetchPage = async (request, reader) => {
    requests.push(request);
    if (answer.error) throw answer.error;
    const headers = new Map(Object.entries({ 'content-type': 'text/html', ...answer.headers }));
    const redirects = request.visit?.redirects ?? [];
    const head = { finalUrl: request.url.href, status: answer.status ?? 200, headers, redirects };
    reader.start(head);
    reader.write(Buffer.from(answer.body ?? `<title>${requests.length}</title></head><body>`));
    return { head, end: answer.end ?? 'complete', visit: { redirects, state: null } };
  };
  const now = () => clock.ms;
  const memory = cache === undefined ? openMetadataCache({ maxEntries: 10, ttlSeconds: 600, now }) : cache;
  return {
    clock,
    requests,
    get: (change: Partial<GetMetadataRequest> = {}, client = 'account') =>
      getMetadata(
        { url: URL_A, followRedirects: true, timeoutMs: 10_000, details: false, ...change },
        { fetchPage, client, now, cache: memory ?? undefined },
      ),
  };
}

describe('a cached result', () => {
  it('is returned only to a request with max_age, with its age in whole seconds', async () => {
    const { clock, requests, get } = setUp();
    assert.equal((await get({ maxAgeSeconds: 60 })).ageSeconds, undefined, 'the first one was fetched');
    clock.ms += 42_900;
    const cached = await get({ maxAgeSeconds: 60 });
    assert.deepEqual([cached.title, cached.ageSeconds], ['1', 42]);
    for (const change of [{}, { maxAgeSeconds: 0 }]) {
      const fetched = await get(change);
      assert.equal(fetched.ageSeconds, undefined);
    }
    assert.equal(requests.length, 3);
  });

  it('is returned up to the age that the request accepts, and no longer than it is kept', async () => {
    const { clock, get } = setUp();
    await get();
    clock.ms += 60_000;
    assert.equal((await get({ maxAgeSeconds: 60 })).title, '1');
    clock.ms += 1;
    assert.equal((await get({ maxAgeSeconds: 60 })).title, '2', 'too old: it is fetched, and stored again');
    clock.ms += 599_999;
    assert.equal((await get({ maxAgeSeconds: 86_400 })).title, '2');
    clock.ms += 1;
    assert.equal((await get({ maxAgeSeconds: 86_400 })).title, '3');
  });

  it('has the URL as this request gives it', async () => {
    const { get } = setUp();
    await get();
    const { url, ageSeconds } = await get({ url: 'HTTP://A.example:80#top', maxAgeSeconds: 9 });
    assert.deepEqual([url, ageSeconds], ['HTTP://A.example:80#top', 0]);
  });

  it('belongs to one account: another one learns nothing of it', async () => {
    const { get, requests } = setUp();
    await get({ maxAgeSeconds: 60 }, 'one');
    assert.equal((await get({ maxAgeSeconds: 60 }, 'two')).ageSeconds, undefined);
    assert.equal(requests.length, 2);
  });

  it('belongs to one set of options', async () => {
    const { get, requests } = setUp();
    const changes: Partial<GetMetadataRequest>[] = [
      {},
      { details: true },
      { followRedirects: false },
      { language: 'de' },
      { language: 'fr' },
      { userAgent: 'preview' },
      { userAgent: 'browser' },
      { url: 'http://a.example/b' },
    ];
    for (const change of changes)
      assert.equal((await get({ ...change, maxAgeSeconds: 60 })).ageSeconds, undefined);
    assert.equal(requests.length, changes.length);
    for (const change of changes)
      assert.equal((await get({ ...change, timeoutMs: 2000, maxAgeSeconds: 99 })).ageSeconds, 0);
    assert.equal(requests.length, changes.length);
  });

  it('is the answer of the last fetch, also of one without max_age', async () => {
    const { get } = setUp();
    await get();
    await get();
    assert.equal((await get({ maxAgeSeconds: 60 })).title, '2');
  });

  it('that another process stored by a clock ahead has age 0', async () => {
    const entries = new Map<string, CacheEntry>();
    const ahead: MetadataCache = {
      find: async (key) => entries.get(key) ?? null,
      store: async (key, entry) => void entries.set(key, { ...entry, storedAtMs: entry.storedAtMs + 5000 }),
    };
    const { get } = setUp({}, ahead);
    await get();
    assert.equal((await get({ maxAgeSeconds: 1 })).ageSeconds, 0);
  });
});

describe('the keys of the cache', () => {
  it('are hashes: a shared store shows neither accounts nor URLs', async () => {
    const keys: string[] = [];
    const store = { find: async () => null, store: async (key: string) => void keys.push(key) };
    await setUp({}, store).get();
    assert.match(keys.join(), /^[\w-]{43}$/);
  });
});

describe('the cache stores', () => {
  const isStored = async (answer: Answer) => {
    const { get } = setUp(answer);
    await get().catch(() => null);
    return (await get({ maxAgeSeconds: 60 }).catch(() => null))?.ageSeconds === 0;
  };

  it('complete pages, whatever they say about their freshness', async () => {
    for (const headers of [
      { 'cache-control': 'private, no-cache' },
      { expires: '0' },
      { vary: '*' },
    ] as const)
      assert.equal(await isStored({ headers }), true, JSON.stringify(headers));
    for (const end of ['stopped', 'capped', 'complete'] as const)
      assert.equal(await isStored({ end }), true, end);
    assert.equal(await isStored({ status: 404 }), true);
  });

  it('no page with no-store, no incomplete page, no passing status, no wall and no error', async () => {
    for (const answer of [
      { headers: { 'cache-control': 'no-store' } },
      { end: 'cut' },
      { end: 'timeout' },
      { status: 503 },
      { status: 403 },
      { headers: { 'cf-mitigated': 'challenge' } },
      { error: new ApiError('unreachable') },
      { error: new ApiError('timeout') },
    ] as Answer[])
      assert.equal(await isStored(answer), false, JSON.stringify(answer));
  });

  it('no page behind a meta refresh from a page with no-store', async () => {
    const { get } = setUp({
      headers: { 'cache-control': 'no-store' },
      body: '<meta http-equiv=refresh content="0;url=/b">',
    });
    await get();
    assert.equal((await get({ maxAgeSeconds: 60 })).ageSeconds, undefined);
  });
});

describe('a cache that fails', () => {
  it('is treated as empty', async () => {
    const fail = () => Promise.reject(new Error('away'));
    const { get } = setUp({}, { find: fail, store: fail });
    assert.equal((await get({ maxAgeSeconds: 60 })).title, '1');
    assert.equal((await get({ maxAgeSeconds: 60 })).title, '2');
  });
});

it('without a cache, max_age is accepted and finds nothing', async () => {
  const { get } = setUp({}, null);
  for (const title of ['1', '2']) {
    const found = await get({ maxAgeSeconds: 60 });
    assert.deepEqual([found.title, found.ageSeconds], [title, undefined]);
  }
});
