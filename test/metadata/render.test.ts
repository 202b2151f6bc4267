/** Pages that scripts draw: when they are rendered, and what the response then describes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import {
  type FetchedPage,
  type FetchPage,
  type FetchPageRequest,
  getMetadata,
  openMetadataCache,
  type RenderMode,
  type RenderOutcome,
  type RenderPageRequest,
} from '#metadata';

const SHELL = '<title>Shell</title><script src=/app.js></script><div id=root></div>';
const ARTICLE = `<title>Article</title><script src=/app.js></script><p>${'A text of some length. '.repeat(30)}`;
const DRAWN =
  '<html lang=de><head><title>Drawn</title><meta property="og:title" content="Card"></head></html>';

interface World {
  fetched: FetchPageRequest[];
  rendered: RenderPageRequest[];
  run: (path?: string, options?: Options) => ReturnType<typeof getMetadata>;
}

interface Options {
  render?: RenderMode;
  followRedirects?: boolean;
  timeoutMs?: number;
  maxAgeSeconds?: number;
  probe?: boolean;
  oembed?: boolean;
  language?: string;
  userAgent?: 'preview';
  signal?: AbortSignal;
}

interface Site {
  [path: string]: string | (Partial<FetchedPage> & { body: string; type?: string; finalUrl?: string });
}

/** A site, and the outcomes of its renders by URL; all other renders fail. */
function createWorld(
  site: Site,
  outcomes: Record<string, RenderOutcome | Error | (() => Promise<RenderOutcome>)> = {},
  cache?: ReturnType<typeof openMetadataCache>,
): World {
  const fetched: FetchPageRequest[] = [];
  const rendered: RenderPageRequest[] = [];
  const fetchPage: FetchPage = (request, reader) => {
    fetched.push(request);
    const found = site[request.url.pathname];
    if (found === undefined) return Promise.reject(new ApiError('unreachable'));
    const {
      body,
      type = 'text/html',
      finalUrl,
      ...rest
    } = typeof found === 'string' ? { body: found } : found;
    const redirects = request.visit?.redirects ?? [];
    const url = new URL(finalUrl ?? request.url);
    url.hash = '';
    const headers = new Map([['content-type', type]]);
    const head = { finalUrl: url.href, status: 200, headers, redirects };
    if (reader.start(head)) {
      const bytes = Buffer.from(body, 'latin1');
      for (let at = 0; at < bytes.length; at += 4_096)
        if (!reader.write(bytes.subarray(at, at + 4_096))) break;
    }
    return Promise.resolve({ head, end: 'complete', visit: { redirects, state: null }, ...rest });
  };
  const renderPage = (request: RenderPageRequest): Promise<RenderOutcome> => {
    rendered.push(request);
    const outcome = outcomes[request.url] ?? { kind: 'failed' };
    if (outcome instanceof Error) return Promise.reject(outcome);
    return typeof outcome === 'function' ? outcome() : Promise.resolve(outcome);
  };
  const run: World['run'] = (path = '/', { signal, ...options } = {}) =>
    getMetadata(
      { url: `http://a.example${path}`, followRedirects: true, timeoutMs: 10_000, details: true, ...options },
      { fetchPage, renderPage, client: 'a', now: () => 0, ...(cache && { cache }) },
      signal,
    );
  return { fetched, rendered, run };
}

const drawn = (url = 'http://a.example/'): RenderOutcome => ({ kind: 'document', url, html: DRAWN });
const leadsTo = (url: string): RenderOutcome => ({ kind: 'navigation', url });

describe('render=true', () => {
  it('describes the page as its scripts have drawn it', async () => {
    const { run } = createWorld({ '/': SHELL }, { 'http://a.example/': drawn() });
    const { title, og, language, charset, details } = await run('/', { render: 'true' });
    assert.deepEqual([title, og.title, language, charset], ['Drawn', 'Card', 'de', 'utf-8']);
    assert.equal(details?.rendered, true);
  });

  it('opens the page that was fetched, with its URL, fragment, headers and charset', async () => {
    const body = `<title>Caf\xe9</title>${SHELL}${'x'.repeat(90_000)}`;
    const { run, rendered } = createWorld({
      '/start': { body, type: 'text/html; charset=iso-8859-1', finalUrl: 'http://b.example/end?a' },
    });
    await run('/start#part', { render: 'true' });
    const [request] = rendered;
    assert.equal(request?.url, 'http://b.example/end?a#part');
    assert.equal(request.contentType, 'text/html; charset=windows-1252');
    assert.equal(
      Buffer.from(request.body).toString('latin1'),
      body,
      'all of it, although its head is enough',
    );
    assert.equal(request.headers.get('content-type'), 'text/html; charset=iso-8859-1');
    assert.deepEqual([request.reach, request.status], ['public', 200]);
  });

  it('opens the page with the fragment to which a redirect led', async () => {
    const { run, rendered } = createWorld({
      '/short': { body: SHELL, finalUrl: 'http://b.example/', fragment: '#/item/5' },
    });
    const { details } = await run('/short#own', { render: 'true' });
    assert.equal(rendered[0]?.url, 'http://b.example/#/item/5');
    assert.equal(details?.finalUrl, 'http://b.example/');
  });

  it('opens the page with the fragment to which a meta refresh led, and not with that of the request', async () => {
    const refreshTo = (url: string) => `<meta http-equiv=refresh content="0;url=${url}">`;
    const { run, rendered } = createWorld({
      '/to-route': refreshTo('/#/item/5'),
      '/to-start': refreshTo('/'),
      '/': SHELL,
    });
    await run('/to-route#own', { render: 'true' });
    await run('/to-start#own', { render: 'true' });
    assert.deepEqual(
      rendered.map(({ url }) => url),
      ['http://a.example/#/item/5', 'http://a.example/'],
    );
  });

  it('keeps the charset, the type and the status of the fetched page', async () => {
    const type = 'text/html; charset=iso-8859-1';
    const { run } = createWorld({ '/': { body: SHELL, type } }, { 'http://a.example/': drawn() });
    const { charset, details } = await run('/', { render: 'true' });
    assert.deepEqual([charset, details?.contentType, details?.status], ['windows-1252', type, 200]);
  });

  it('has the URL that the scripts have set as final_url, without its fragment', async () => {
    const { run } = createWorld({ '/': SHELL }, { 'http://a.example/': drawn('http://a.example/new/#x') });
    const { details, favicon } = await run('/', { render: 'true' });
    assert.equal(details?.finalUrl, 'http://a.example/new/');
    assert.equal(favicon, 'http://a.example/favicon.ico');
  });

  it('introduces itself in the browser as it did when the page was fetched', async () => {
    const { run, rendered } = createWorld({ '/': SHELL });
    await run('/', { render: 'true', language: 'de, en;q=0.5', userAgent: 'preview' });
    await run('/', { render: 'true' });
    assert.deepEqual(
      rendered.map(({ language, userAgent }) => [language, userAgent]),
      [
        ['de, en;q=0.5', 'preview'],
        [null, 'bot'],
      ],
    );
  });

  it('describes the fetched page if the render fails', async () => {
    const { title, details } = await createWorld({ '/': SHELL }).run('/', { render: 'true' });
    assert.deepEqual([title, details?.rendered], ['Shell', false]);
  });

  it('leaves time to respond with the fetched page, and does not start without time', async () => {
    const { run, rendered } = createWorld({ '/': SHELL });
    await run('/', { render: 'true', timeoutMs: 1_000 });
    assert.ok(rendered[0]!.timeoutMs <= 700);
    await run('/', { render: 'true', timeoutMs: 400 });
    assert.equal(rendered.length, 1);
  });

  it('is an error without a browser, and without a place for the render', async () => {
    for (const code of ['unavailable', 'overloaded', 'rate_limit_exceeded'] as const) {
      const { run } = createWorld({ '/': SHELL }, { 'http://a.example/': new ApiError(code) });
      await assert.rejects(run('/', { render: 'true' }), { code });
    }
  });

  it('renders no page that is not HTML, or that did not arrive whole', async () => {
    const { run, rendered } = createWorld({
      '/image': { body: 'png', type: 'image/png' },
      '/cut': { body: SHELL, end: 'cut' },
      '/late': { body: `<head></head>${SHELL}`, end: 'timeout' },
    });
    for (const path of ['/image', '/cut', '/late'])
      assert.equal((await run(path, { render: 'true' })).details?.rendered, false);
    assert.equal(rendered.length, 0);
  });

  it('ends when the client disconnects', async () => {
    const client = new AbortController();
    const { run } = createWorld(
      { '/': SHELL },
      { 'http://a.example/': () => new Promise(() => client.abort()) },
    );
    await assert.rejects(run('/', { render: 'true', signal: client.signal }), { name: 'AbortError' });
  });

  it('reads 2 MiB of the drawn page at most', async () => {
    const html = `<title>Long</title>${'<i>'.repeat(2 ** 20)}<meta property="og:title" content=late>`;
    const outcome = { kind: 'document', url: 'http://a.example/', html } as const;
    const { run } = createWorld({ '/': SHELL }, { 'http://a.example/': outcome });
    const { title, og } = await run('/', { render: 'true' });
    assert.deepEqual([title, og.title], ['Long', null]);
  });

  it('does not share a fetch or a cached response with other modes, or with other fragments', async () => {
    const cache = openMetadataCache({ maxEntries: 10, ttlSeconds: 60, now: () => 0 });
    const { run } = createWorld(
      { '/': SHELL },
      {
        'http://a.example/': drawn(),
        'http://a.example/#b': { ...drawn(), html: '<title>B</title>' } as RenderOutcome,
      },
      cache,
    );
    const titles = [];
    for (const [path, render] of [
      ['/', 'true'],
      ['/#b', 'true'],
      ['/', 'false'],
      ['/', 'true'],
    ] as const)
      titles.push((await run(path, { render })).title);
    assert.deepEqual(titles, ['Drawn', 'B', 'Shell', 'Drawn']);
  });

  it('does not keep what a failed render left in the cache', async () => {
    const cache = openMetadataCache({ maxEntries: 10, ttlSeconds: 60, now: () => 0 });
    let outcome: RenderOutcome = { kind: 'failed' };
    const { run } = createWorld(
      { '/': SHELL },
      { 'http://a.example/': () => Promise.resolve(outcome) },
      cache,
    );
    assert.equal((await run('/', { render: 'true' })).title, 'Shell');
    outcome = drawn();
    assert.equal((await run('/', { render: 'true', maxAgeSeconds: 60 })).title, 'Drawn');
  });

  it('does not keep a page whose requests had no response in time', async () => {
    const cache = openMetadataCache({ maxEntries: 10, ttlSeconds: 60, now: () => 0 });
    let isIncomplete = true;
    const { run, rendered } = createWorld(
      { '/': SHELL },
      { 'http://a.example/': () => Promise.resolve({ ...drawn(), isIncomplete } as RenderOutcome) },
      cache,
    );
    for (isIncomplete of [true, false, false]) {
      const { details } = await run('/', { render: 'true', maxAgeSeconds: 60 });
      assert.equal(details?.rendered, true);
    }
    assert.equal(rendered.length, 2);
  });
});

describe('the cache of rendered pages', () => {
  it('does not keep a wall that a script has drawn', async () => {
    const cache = openMetadataCache({ maxEntries: 10, ttlSeconds: 60, now: () => 0 });
    let html = '<title>Wait</title><div id="sec-if-cpt-container"></div>';
    const { run } = createWorld(
      { '/': SHELL },
      { 'http://a.example/': () => Promise.resolve({ kind: 'document', url: 'http://a.example/', html }) },
      cache,
    );
    assert.equal((await run('/', { render: 'true' })).details?.blocked, 'akamai');
    html = DRAWN;
    assert.equal((await run('/', { render: 'true', maxAgeSeconds: 60 })).title, 'Drawn');
  });
});

describe('render=auto', () => {
  it('renders a shell, and no page with content of its own', async () => {
    const { run, rendered } = createWorld(
      { '/': SHELL, '/article': ARTICLE, '/card': `<meta name=description content=a>${SHELL}` },
      { 'http://a.example/': drawn() },
    );
    assert.equal((await run('/', { render: 'auto' })).details?.rendered, true);
    for (const path of ['/article', '/card'])
      assert.equal((await run(path, { render: 'auto' })).details?.rendered, false);
    assert.equal(rendered.length, 1);
  });

  it('reads the rest of a page only if it has no card', async () => {
    const rest = 'x'.repeat(200_000);
    let received = 0;
    const { run, rendered } = createWorld({
      '/card': `<head><title>a</title><meta property="og:title" content=a></head><body>${rest}`,
      '/shell': `<head>${SHELL}</head><body><script>${rest}</script></body>`,
    });
    for (const path of ['/card', '/shell']) await run(path, { render: 'auto' });
    received = rendered[0]?.body.length ?? 0;
    assert.deepEqual([rendered.length, received > 200_000], [1, true]);
  });

  it('falls back to the fetched page without a browser, and without a place for the render', async () => {
    for (const code of ['unavailable', 'overloaded', 'rate_limit_exceeded'] as const) {
      const { run } = createWorld({ '/': SHELL }, { 'http://a.example/': new ApiError(code) });
      const { title, details } = await run('/', { render: 'auto' });
      assert.deepEqual([title, details?.rendered], ['Shell', false]);
    }
  });
});

describe('a script that leads to another page', () => {
  it('is a redirect: the next page is fetched, and rendered in turn', async () => {
    const { run, fetched, rendered } = createWorld(
      { '/': SHELL, '/next': SHELL },
      {
        'http://a.example/': leadsTo('http://a.example/next#x'),
        'http://a.example/next#x': drawn('http://a.example/next'),
      },
    );
    const { title, details } = await run('/', { render: 'true' });
    assert.equal(title, 'Drawn');
    assert.deepEqual(details?.redirects, [{ url: 'http://a.example/', status: 200 }]);
    assert.deepEqual([fetched.length, rendered.length], [2, 2]);
  });

  it('leads to ten pages at most, HTTP redirects included', async () => {
    const site = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`/${at}`, SHELL]));
    const outcomes = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        `http://a.example/${at}`,
        leadsTo(`http://a.example/${at + 1}`),
      ]),
    );
    const { run, rendered, fetched } = createWorld(site, outcomes);
    await run('/0', { render: 'true' });
    assert.deepEqual(
      rendered.map(({ mayNavigate }) => mayNavigate),
      [...Array<boolean>(10).fill(true), false],
    );
    assert.ok(fetched.length <= 12);
  });

  it('stays where it is with follow_redirects=false', async () => {
    const { run, rendered } = createWorld({ '/': SHELL });
    await run('/', { render: 'true', followRedirects: false });
    assert.equal(rendered[0]?.mayNavigate, false);
  });

  it('leaves the page before as the result if the next one fails, is a download or has credentials', async () => {
    for (const url of [
      'http://a.example/gone',
      'http://a.example/file',
      'http://u:p@a.example/next',
      'no URL',
    ]) {
      const { run, fetched } = createWorld(
        { '/': SHELL, '/next': SHELL, '/file': { body: 'zip', type: 'application/zip' } },
        { 'http://a.example/': leadsTo(url) },
      );
      const { title, details } = await run('/', { render: 'true' });
      assert.deepEqual([title, details?.rendered], ['Shell', false], url);
      assert.ok(fetched.every(({ url: { username } }) => username === ''));
    }
  });

  it('leaves the page before with its objects: probe and oembed are answered for it', async () => {
    for (const url of ['http://a.example/gone', 'http://a.example/file']) {
      const { run } = createWorld(
        {
          '/': `${SHELL}<link rel=alternate type=application/json+oembed href=/oembed>`,
          '/file': { body: 'zip', type: 'application/zip' },
          '/oembed': { body: '{"version":"1.0","type":"link","title":"E"}', type: 'application/json' },
          '/favicon.ico': { body: '<svg xmlns="http://www.w3.org/2000/svg"/>', type: 'image/svg+xml' },
        },
        { 'http://a.example/': leadsTo(url) },
      );
      const { title, details } = await run('/', { render: 'true', probe: true, oembed: true });
      assert.equal(title, 'Shell');
      assert.deepEqual([details?.probed?.favicon.exists, details?.oembedResponse?.title], [true, 'E'], url);
    }
  });

  it('leads to the fetched page if there is no place to render that one too', async () => {
    for (const code of ['unavailable', 'overloaded', 'rate_limit_exceeded'] as const) {
      const { run } = createWorld(
        { '/': SHELL, '/next': ARTICLE },
        {
          'http://a.example/': leadsTo('http://a.example/next'),
          'http://a.example/next': new ApiError(code),
        },
      );
      const { title, details } = await run('/', { render: 'true' });
      assert.deepEqual([title, details?.rendered], ['Article', false]);
    }
  });

  it('leads to a page that is rendered with what is left of the budget of the call', async () => {
    const { run, rendered } = createWorld(
      { '/': SHELL, '/next': SHELL },
      { 'http://a.example/': leadsTo('http://a.example/next'), 'http://a.example/next': drawn() },
    );
    await run('/', { render: 'auto' });
    const budgets = rendered.map(({ budget }) => budget);
    assert.equal(budgets.length, 2);
    assert.deepEqual(budgets[0], { requests: 100, bytes: 5 * 1024 * 1024 });
    assert.equal(budgets[1], budgets[0], 'the same one');
    await run('/', { render: 'auto' });
    assert.notEqual(rendered[2]?.budget, budgets[0], 'of another call');
  });

  it('leads to no address outside the reach of its page, and nor do the pages after it', async () => {
    for (const reach of ['public', 'opened'] as const) {
      const { run, fetched } = createWorld(
        {
          '/': { body: SHELL, reach },
          '/next': { body: '<meta http-equiv=refresh content="0;url=/last">', reach },
          '/last': { body: ARTICLE, reach },
        },
        { 'http://a.example/': leadsTo('http://a.example/next') },
      );
      await run('/', { render: 'auto' });
      assert.deepEqual(
        fetched.map((request) => request.reach),
        [undefined, reach, reach],
      );
    }
  });
});

describe('a private page that the operator has opened', () => {
  it('is rendered with private addresses only', async () => {
    const { run, rendered } = createWorld({ '/': { body: SHELL, reach: 'opened' } });
    await run('/', { render: 'true' });
    assert.equal(rendered[0]?.reach, 'opened');
  });

  const OBJECTS = `<link rel=icon href=/icon.png><meta property=og:image content=/card.png><link rel=alternate type=application/json+oembed href=/embed>`;
  const DRAWN_OBJECTS = { ...drawn(), html: `<html><head>${OBJECTS}</head></html>` } as RenderOutcome;
  const site = {
    '/': { body: SHELL, reach: 'opened' },
    '/next': { body: `${OBJECTS}${ARTICLE}`, reach: 'opened' },
  } as const;
  for (const [name, outcome, path, expected] of [
    ['was rendered', DRAWN_OBJECTS, '/', 'opened'],
    ['a script led to', leadsTo('http://a.example/next'), '/', 'opened'],
    ['is not rendered', DRAWN_OBJECTS, '/next', undefined],
  ] as const)
    it(`that ${name} names its icon, image and oEmbed within the reach ${expected ?? 'of any page'}`, async () => {
      const { run, fetched } = createWorld(site, { 'http://a.example/': outcome });
      await run(path, { render: 'auto', probe: true, oembed: true });
      const objects = fetched.filter(({ accept }) => accept !== undefined);
      assert.deepEqual(
        new Set(objects.map(({ url }) => url.pathname)),
        new Set(['/icon.png', '/favicon.ico', '/card.png', '/embed']),
      );
      assert.deepEqual(new Set(objects.map(({ reach }) => reach)), new Set([expected]));
    });

  it('is not rendered if a public page led to it: its URL may hold what runs there', async () => {
    const { run, rendered } = createWorld({ '/': { body: SHELL, reach: 'mixed' } });
    const { details } = await run('/', { render: 'true' });
    assert.deepEqual([details?.rendered, rendered.length], [false, 0]);
  });
});

it('rendering that the operator has turned off is an invalid parameter, and says so', async () => {
  for (const render of ['true', 'auto'] as const)
    await assert.rejects(
      getMetadata(
        { url: 'http://a.example/', followRedirects: true, timeoutMs: 1_000, details: false, render },
        { fetchPage: () => assert.fail('fetched'), client: 'a', now: () => 0 },
      ),
      (error) =>
        error instanceof ApiError &&
        error.code === 'invalid_parameter' &&
        error.param === 'render' &&
        /operator .* turned rendering off/.test(error.message),
    );
});
