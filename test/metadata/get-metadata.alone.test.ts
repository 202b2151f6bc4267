import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import { startTurnMeter } from '../support/turn-meter.ts';
import { measureSlowdown } from '../support/cpu-time.ts';
import { type FetchPage, type FetchPageRequest, getMetadata, type PageEnd, Singleflight } from '#metadata';

interface Site {
  fetchPage: FetchPage;
  requests: FetchPageRequest[];
  /** Releases the responses with `waits`. */
  release: () => void;
}

interface Response {
  body?: string | Buffer;
  headers?: Record<string, string>;
  status?: number;
  end?: PageEnd;
  finalUrl?: string;
  error?: ApiError;
  /** Holds back the end (after the body), or everything. */
  waits?: 'end' | 'start';
}

/** Creates a site from responses by URL. All other URLs are unreachable. */
function createSite(pages: Record<string, Response>): Site {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const requests: FetchPageRequest[] = [];
  const fetchPage: FetchPage = async (request, reader, signal) => {
    requests.push(request);
    signal?.throwIfAborted();
    // Fragments are not sent.
    const requested = request.url.href.replace(/#.*/, '');
    const response = pages[requested];
    if (response === undefined || response.error !== undefined)
      throw response?.error ?? new ApiError('unreachable');
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    if (response.waits === 'start') await Promise.race([released, aborted]);
    const redirects = request.visit?.redirects ?? [];
    const headers = new Map(Object.entries({ 'content-type': 'text/html', ...response.headers }));
    const head = {
      finalUrl: response.finalUrl ?? requested,
      status: response.status ?? 200,
      headers,
      redirects,
    };
    const { body = '' } = response;
    if (reader.start(head)) reader.write(typeof body === 'string' ? Buffer.from(body) : body);
    if (response.waits === 'end') await Promise.race([released, aborted]);
    return {
      head,
      end: response.end ?? 'complete',
      visit: { redirects, state: request.visit?.state ?? 'jar' },
    };
  };
  return { fetchPage, requests, release };
}

const now = () => 0;
const client = 'account';
const request = (url: string) => ({ url, followRedirects: true, timeoutMs: 10_000, details: false });
const isError = (code: string) => (error: unknown) => error instanceof ApiError && error.code === code;
const page = (title: string, more = '') => `<html><head><title>${title}</title>${more}</head><body>`;

describe('getMetadata', () => {
  it('returns every member, null if the page does not declare it, and the URL as given', async () => {
    const { fetchPage, requests } = createSite({ 'http://a.example/': { body: 'text' } });
    assert.deepEqual(await getMetadata(request('HTTP://A.example#top'), { fetchPage, client, now }), {
      url: 'HTTP://A.example#top',
      title: null,
      description: null,
      favicon: 'http://a.example/favicon.ico',
      og: { title: null, description: null, image: null, url: null, type: null, siteName: null },
      twitter: { card: null, site: null, title: null, description: null, image: null },
      charset: 'utf-8',
      language: null,
    });
    assert.equal(requests[0]!.url.href, 'http://a.example/');
  });

  it('does not read what is not HTML: nulls except the icon of its origin and the charset of its header', async () => {
    const body = page('no');
    for (const [type, charset] of [
      ['image/png', null],
      ['application/pdf', null],
      ['text/plain; charset=koi8-r', 'koi8-r'],
      ['application/json', null],
      ['garbage', null],
      ['application/rss+xml', null],
      ['image/svg+xml', null],
    ] as const) {
      const { fetchPage } = createSite({ 'http://a.example/x': { body, headers: { 'content-type': type } } });
      const {
        title,
        favicon,
        charset: found,
      } = await getMetadata(request('http://a.example/x'), { fetchPage, client, now });
      assert.deepEqual([title, favicon, found], [null, 'http://a.example/favicon.ico', charset], type);
    }
  });

  it('describes XML if its root is html, and a body without a Content-Type if its first bytes are markup', async () => {
    const findTitle = async (type: string, body: string) => {
      const { fetchPage } = createSite({ 'http://a.example/': { body, headers: { 'content-type': type } } });
      return (await getMetadata(request('http://a.example/'), { fetchPage, client, now })).title;
    };
    assert.equal(
      await findTitle(
        'application/xml',
        `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${page('T')}`,
      ),
      'T',
    );
    assert.equal(
      await findTitle(
        'application/xhtml+xml',
        '<html><title><![CDATA[a < b &amp; c]]> &amp; d</title></html>',
      ),
      'a < b &amp; c & d',
    );
    assert.equal(await findTitle('text/xml', '<rss><channel><title>Feed</title></channel></rss>'), null);
    assert.equal(
      await findTitle(
        'text/xml',
        `<rss><title>Feed</title><content>${page('quoted')}</html></content></rss>`,
      ),
      null,
    );
    assert.equal(await findTitle('application/vnd.wap.xhtml+xml', page('T')), 'T');
    assert.equal(await findTitle('', `\n <!DOCTYPE html>${page('T')}`), 'T');
    assert.equal(await findTitle('', '<!-- x --><title>T</title>'), 'T');
    assert.equal(await findTitle('', `PK\u0003\u0004${page('T')}`), null);
    assert.equal(await findTitle('text/html ; charset=utf-8', page('T')), 'T');
    assert.equal(await findTitle('TEXT/HTML', page('T')), 'T');
  });

  it('describes an HTML body of any status', async () => {
    const { fetchPage } = createSite({ 'http://a.example/': { status: 404, body: page('Not here') } });
    const { title, details } = await getMetadata(
      { ...request('http://a.example/'), details: true },
      { fetchPage, client, now },
    );
    assert.deepEqual([title, details!.status], ['Not here', 404]);
  });

  it('returns nulls for an empty body', async () => {
    const { fetchPage } = createSite({ 'http://a.example/': {} });
    const { title, charset, language } = await getMetadata(request('http://a.example/'), {
      fetchPage,
      client,
      now,
    });
    assert.deepEqual([title, charset, language], [null, null, null]);
  });

  it('resolves relative URLs against the base element, and that against the final URL', async () => {
    const body = page(
      'T',
      '<base href="../c/"><link rel=icon href=i.png><meta property=og:image content="?x">',
    );
    const { fetchPage } = createSite({ 'http://a.example/': { body, finalUrl: 'https://b.example/d/e' } });
    const { favicon, og, url } = await getMetadata(request('http://a.example/'), { fetchPage, client, now });
    assert.deepEqual(
      [url, favicon, og.image],
      ['http://a.example/', 'https://b.example/c/i.png', 'https://b.example/c/?x'],
    );
  });
});

describe('the end of a page', () => {
  const getResult = (response: Response) =>
    getMetadata(request('http://a.example/'), {
      fetchPage: createSite({ 'http://a.example/': response }).fetchPage,
      client,
      now,
    });

  it('at the deadline, describes what was read if the head is complete', async () => {
    assert.equal((await getResult({ body: page('T'), end: 'timeout' })).title, 'T');
    assert.equal((await getResult({ body: '<title>T</title><p>', end: 'timeout' })).title, 'T');
    assert.equal((await getResult({ headers: { 'content-type': 'image/png' }, end: 'timeout' })).title, null);
  });

  it('408: at the deadline, if the head is not complete', async () => {
    await assert.rejects(getResult({ body: '<html><head><title>T', end: 'timeout' }), isError('timeout'));
    await assert.rejects(getResult({ body: '', end: 'timeout' }), isError('timeout'));
    await assert.rejects(getResult({ error: new ApiError('timeout') }), isError('timeout'));
  });

  it('after a disconnect, describes what was read if it has a title; else 422', async () => {
    assert.equal((await getResult({ body: '<title>T</title><meta ', end: 'cut' })).title, 'T');
    assert.equal((await getResult({ body: page('T'), end: 'cut' })).title, 'T');
    await assert.rejects(getResult({ body: '<html><head>', end: 'cut' }), isError('unreachable'));
    await assert.rejects(getResult({ end: 'cut' }), isError('unreachable'));
  });
});

describe('a meta refresh', () => {
  const refresh = (content: string, more = '') =>
    page('Wait', `<meta http-equiv=refresh content="${content}">${more}`);
  const titleOf = async (body: string, change: object = {}) => {
    const { fetchPage } = createSite({
      'http://a.example/': { body },
      'http://a.example/to': { body: page('There') },
      'http://a.example/loop': { body: refresh('0;/') },
    });
    return (await getMetadata({ ...request('http://a.example/'), ...change }, { fetchPage, client, now }))
      .title;
  };

  it('is followed like a redirect if it acts within one second', async () => {
    for (const content of [
      '0;url=/to',
      '1; URL=to',
      "0;url='/to'",
      '0;url=&quot;/to&quot;',
      '0; url = http://a.example/to',
      '0,/to',
      '.5;url=/to',
      '0 url=/to',
      '0;/to#x',
    ]) {
      assert.equal(await titleOf(refresh(content)), content === '.5;url=/to' ? 'Wait' : 'There', content);
    }
  });

  it('is not followed if it is later, has another protocol, or the page has an og:title', async () => {
    for (const content of [
      '2;url=/to',
      '5',
      '0',
      'x;url=/to',
      '0;url=javascript:alert(1)',
      '0;url=',
      '0;url=data:text/html,x',
    ]) {
      assert.equal(await titleOf(refresh(content)), 'Wait', content);
    }
    assert.equal(await titleOf(refresh('0;url=/to', '<meta property=og:title content=Own>')), 'Wait');
    assert.equal(await titleOf(refresh('0;url=/to'), { followRedirects: false }), 'Wait');
    assert.equal(
      await titleOf(page('Wait', '<noscript><meta http-equiv=refresh content="0;url=/to"></noscript>')),
      'Wait',
    );
  });

  it('counts as a hop and keeps the cookies', async () => {
    const { fetchPage, requests } = createSite({
      'http://a.example/': { body: refresh('0;url=/to') },
      'http://a.example/to': { body: page('There') },
    });
    const { details } = await getMetadata(
      { ...request('http://a.example/'), details: true },
      { fetchPage, client, now },
    );
    assert.deepEqual(details!.redirects, [{ url: 'http://a.example/', status: 200 }]);
    assert.equal(details!.finalUrl, 'http://a.example/to');
    assert.equal(requests[1]!.visit!.state, 'jar');
  });

  it('that fails or loops leaves the page before it as the result', async () => {
    assert.equal(await titleOf(refresh('0;url=/gone')), 'Wait');
    const { fetchPage, requests } = createSite({
      'http://a.example/': { body: refresh('0;url=/loop') },
      'http://a.example/loop': { body: refresh('0;url=/') },
    });
    assert.equal((await getMetadata(request('http://a.example/'), { fetchPage, client, now })).title, 'Wait');
    assert.ok(requests.length <= 11);
  });
});

describe('pages that take long to describe', () => {
  it('take several turns of the event loop, however many end at the same time', async () => {
    const text = Buffer.from('\x83\x65\x83\x58\x83\x67\x82\xcc ', 'latin1');
    const body = Buffer.concat([Buffer.from('<title>'), Buffer.alloc(20_000, text)]);
    const { fetchPage } = createSite({ 'http://a.example/': { body } });
    const describeMany = async (): Promise<number> => {
      const meter = startTurnMeter();
      const results = Array.from({ length: 30 }, async () => {
        const { charset } = await getMetadata(request('http://a.example/'), { fetchPage, client, now });
        assert.equal(charset, 'shift_jis');
      });
      await Promise.all(results);
      return meter.stop();
    };
    await describeMany();
    const largest: string[] = [];
    for (let attempt = 0; attempt < 6; attempt++) {
      const turnMs = await describeMany();
      const limitMs = 25 * measureSlowdown();
      if (turnMs < limitMs) return;
      largest.push(`${turnMs} of ${limitMs}`);
    }
    assert.fail(`CPU ms of the largest turns: ${largest.join(', ')}`);
  });
});

describe('identical requests in flight', () => {
  const singleflight = new Singleflight();

  it('share one fetch, each with its own URL in the result', async () => {
    const { fetchPage, requests, release } = createSite({
      'http://a.example/': { body: page('T'), waits: 'start' },
    });
    const results = ['http://a.example', 'http://A.example/#x', 'http://a.example:80/'].map((url) =>
      getMetadata(request(url), { fetchPage, client, now, singleflight }),
    );
    await Promise.resolve();
    release();
    assert.deepEqual(
      (await Promise.all(results)).map(({ url }) => url),
      ['http://a.example', 'http://A.example/#x', 'http://a.example:80/'],
    );
    assert.equal(requests.length, 1);
    await getMetadata(request('http://a.example'), { fetchPage, client, now, singleflight });
    assert.equal(requests.length, 2, 'a later request fetches again');
  });

  it('with different options do not share a fetch', async () => {
    const { fetchPage, requests } = createSite({ 'http://a.example/': { body: page('T') } });
    const one = request('http://a.example/');
    await Promise.all(
      [one, { ...one, details: true }, { ...one, followRedirects: false }].map((each) =>
        getMetadata(each, { fetchPage, client, now, singleflight }),
      ),
    );
    assert.equal(requests.length, 3);
  });

  it('of different accounts share no fetch: aborting one for its account’s share does not affect the other', async () => {
    const site = createSite({ 'http://a.example/': { body: page('T'), waits: 'start' } });
    const reclaimed = Promise.withResolvers<never>();
    const fetchPage: FetchPage = (fetchRequest, ...rest) => {
      const fetching = site.fetchPage(fetchRequest, ...rest);
      return fetchRequest.client === 'first' ? Promise.race([fetching, reclaimed.promise]) : fetching;
    };
    const [first, second] = ['first', 'second'].map((one) =>
      getMetadata(request('http://a.example/'), { fetchPage, client: one, now, singleflight }),
    );
    reclaimed.reject(new ApiError('rate_limit_exceeded'));
    await assert.rejects(async () => first, isError('rate_limit_exceeded'));
    site.release();
    assert.equal((await second)?.title, 'T');
    assert.equal(site.requests.length, 2);
  });

  it('fail together', async () => {
    const { fetchPage, requests } = createSite({});
    const both = [1, 2].map(() =>
      getMetadata(request('http://a.example/'), { fetchPage, client, now, singleflight }),
    );
    await Promise.all(both.map((result) => assert.rejects(result, isError('unreachable'))));
    assert.equal(requests.length, 1);
  });

  it('aborting one request does not affect the others; aborting the last one aborts the fetch', async () => {
    const { fetchPage, requests, release } = createSite({
      'http://a.example/': { body: page('T'), waits: 'start' },
    });
    const [one, other] = [new AbortController(), new AbortController()];
    const first = getMetadata(
      request('http://a.example/'),
      { fetchPage, client, now, singleflight },
      one.signal,
    );
    const second = getMetadata(
      request('http://a.example/'),
      { fetchPage, client, now, singleflight },
      other.signal,
    );
    one.abort(new Error('gone'));
    await assert.rejects(first, /gone/);
    release();
    assert.equal((await second).title, 'T');
    assert.equal(requests.length, 1);

    const lonely = createSite({ 'http://a.example/': { waits: 'start' } });
    const last = new AbortController();
    const result = getMetadata(
      request('http://a.example/'),
      { fetchPage: lonely.fetchPage, client, now, singleflight },
      last.signal,
    );
    last.abort(new Error('all gone'));
    await assert.rejects(result, /all gone/);
    const again = createSite({ 'http://a.example/': { body: page('New') } });
    assert.equal(
      (
        await getMetadata(request('http://a.example/'), {
          fetchPage: again.fetchPage,
          client,
          now,
          singleflight,
        })
      ).title,
      'New',
    );
  });

  it('each have their own deadline: 408 without the head, else what was read', async () => {
    const silent = createSite({ 'http://a.example/': { waits: 'start', body: page('T') } });
    const patient = getMetadata(request('http://a.example/'), {
      fetchPage: silent.fetchPage,
      client,
      now,
      singleflight,
    });
    await assert.rejects(
      getMetadata(
        { ...request('http://a.example/'), timeoutMs: 5 },
        { fetchPage: silent.fetchPage, client, now, singleflight },
      ),
      isError('timeout'),
    );
    silent.release();
    assert.equal((await patient).title, 'T');

    const slow = createSite({ 'http://a.example/': { waits: 'end', body: page('T') } });
    const waiting = getMetadata(request('http://a.example/'), {
      fetchPage: slow.fetchPage,
      client,
      now,
      singleflight,
    });
    assert.equal(
      (
        await getMetadata(
          { ...request('http://a.example/'), timeoutMs: 5 },
          { fetchPage: slow.fetchPage, client, now, singleflight },
        )
      ).title,
      'T',
    );
    slow.release();
    assert.equal((await waiting).title, 'T');
    assert.equal(slow.requests.length, 1);
  });

  it('a request with a later deadline starts another fetch when the shared one times out', async () => {
    let calls = 0;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const inner = createSite({ 'http://a.example/': { body: page('T') } });
    const fetchPage: FetchPage = (...args) => (++calls === 1 ? late : inner.fetchPage(...args));
    const hasty = getMetadata(
      { ...request('http://a.example/'), timeoutMs: 1_000 },
      { fetchPage, client, now, singleflight },
    );
    const patient = getMetadata(
      { ...request('http://a.example/'), timeoutMs: 9_000 },
      { fetchPage, client, now, singleflight },
    );
    reject(new ApiError('timeout'));
    await assert.rejects(hasty, isError('timeout'));
    assert.equal((await patient).title, 'T');
  });

  describe('whose shared result was short of time', () => {
    const FIRST = { ...request('http://a.example/'), timeoutMs: 1_000, details: true };
    type Deps = Pick<Parameters<typeof getMetadata>[1], 'fetchPage' | 'renderPage'>;
    const runBoth = (options: object, deps: Deps, laterMs = 9_000) => {
      const all = { ...deps, client, now, singleflight };
      return Promise.all(
        [1_000, laterMs].map((timeoutMs) => getMetadata({ ...FIRST, ...options, timeoutMs }, all)),
      );
    };

    it('render again if they have a later deadline', async () => {
      const { fetchPage } = createSite({ 'http://a.example/': { body: page('Fetched') } });
      const html = page('Drawn');
      const renderPage: Deps['renderPage'] = ({ url, timeoutMs }) =>
        Promise.resolve(
          timeoutMs < 5_000 ? { kind: 'failed', isLate: true } : { kind: 'document', url, html },
        );
      const both = await runBoth({ render: 'true' }, { fetchPage, renderPage });
      assert.deepEqual(
        both.map(({ title }) => title),
        ['Fetched', 'Drawn'],
      );
    });

    it('fetch the rest of a page, and its objects, if they have a later deadline', async () => {
      const site = createSite({
        'http://a.example/': { body: page('T') },
        'http://a.example/favicon.ico': { error: new ApiError('timeout') },
      });
      let pages = 0;
      let clock = 0;
      const fetchPage: FetchPage = async (fetchRequest, ...rest) => {
        if (fetchRequest.url.pathname === '/') pages += 1;
        else clock = 850;
        const fetched = await site.fetchPage(fetchRequest, ...rest);
        return pages === 1 ? { ...fetched, end: 'timeout' } : fetched;
      };
      await runBoth({}, { fetchPage });
      assert.equal(pages, 2);
      pages = 1;
      const deps = { fetchPage, client, now: () => clock, singleflight };
      const run = (timeoutMs: number) => getMetadata({ ...FIRST, probe: true, timeoutMs }, deps);
      await Promise.all([run(1_000), run(9_000)]);
      assert.equal(pages, 3, 'the favicon was not checked in time');
    });

    it('keep it if the other call fails, or if it would have hardly more time', async () => {
      let calls = 0;
      const site = createSite({ 'http://a.example/': { body: page('T'), end: 'timeout' } });
      const fetchPage: FetchPage = (...args) =>
        ++calls === 1 ? site.fetchPage(...args) : Promise.reject(new ApiError('unreachable'));
      const [, later] = await runBoth({}, { fetchPage });
      assert.deepEqual([later?.title, calls], ['T', 2]);
      calls = 0;
      await runBoth({}, { fetchPage }, 1_100);
      assert.equal(calls, 1);
    });
  });

  it('a request whose signal is already aborted fetches nothing', async () => {
    const { fetchPage, requests } = createSite({});
    await assert.rejects(
      getMetadata(
        request('http://a.example/'),
        { fetchPage, client, now, singleflight },
        AbortSignal.abort(new Error('before')),
      ),
      /before/,
    );
    assert.equal(requests.length, 0);
  });
});
