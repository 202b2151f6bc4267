import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import { startTurnMeter } from '../support/turn-meter.ts';
import { measureSlowdown } from './cpu-time.ts';
import {
  type FetchPage,
  type FetchPageRequest,
  getMetadata,
  openMetadataCache,
  type PageEnd,
  SharedFlights,
} from '#metadata';

interface Site {
  fetchPage: FetchPage;
  requests: FetchPageRequest[];
  /** Lets the answers through that were asked to wait. */
  release: () => void;
}

interface Answer {
  body?: string | Buffer;
  headers?: Record<string, string>;
  status?: number;
  end?: PageEnd;
  finalUrl?: string;
  error?: ApiError;
  /** Hold back the end (after the body was given), or everything. */
  waits?: 'end' | 'start';
}

/** A web of pages by URL; what is not there is unreachable. */
function siteOf(pages: Record<string, Answer>): Site {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const requests: FetchPageRequest[] = [];
  const fetchPage: FetchPage = async (request, reader, signal) => {
    requests.push(request);
    signal?.throwIfAborted();
    const answer = pages[request.url.href];
    if (answer === undefined || answer.error !== undefined)
      throw answer?.error ?? new ApiError('unreachable');
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    if (answer.waits === 'start') await Promise.race([released, aborted]);
    const redirects = request.visit?.redirects ?? [];
    const headers = new Map(Object.entries({ 'content-type': 'text/html', ...answer.headers }));
    const head = {
      finalUrl: answer.finalUrl ?? request.url.href,
      status: answer.status ?? 200,
      headers,
      redirects,
    };
    const { body = '' } = answer;
    if (reader.start(head)) reader.write(typeof body === 'string' ? Buffer.from(body) : body);
    if (answer.waits === 'end') await Promise.race([released, aborted]);
    return {
      head,
      end: answer.end ?? 'complete',
      visit: { redirects, cookies: request.visit?.cookies ?? 'jar' },
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
  it('answers every member, null where the page declares nothing, with the URL as it was given', async () => {
    const { fetchPage, requests } = siteOf({ 'http://a.example/': { body: 'text' } });
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

  it('what is not HTML is not read: nulls but for the icon of its origin and the charset of its header', async () => {
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
      const { fetchPage } = siteOf({ 'http://a.example/x': { body, headers: { 'content-type': type } } });
      const {
        title,
        favicon,
        charset: found,
      } = await getMetadata(request('http://a.example/x'), { fetchPage, client, now });
      assert.deepEqual([title, favicon, found], [null, 'http://a.example/favicon.ico', charset], type);
    }
  });

  it('XML is a page when its root is html, and an absent Content-Type when its first bytes are markup', async () => {
    const read = async (type: string, body: string) => {
      const { fetchPage } = siteOf({ 'http://a.example/': { body, headers: { 'content-type': type } } });
      return (await getMetadata(request('http://a.example/'), { fetchPage, client, now })).title;
    };
    assert.equal(
      await read(
        'application/xml',
        `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${page('T')}`,
      ),
      'T',
    );
    assert.equal(
      await read('application/xhtml+xml', '<html><title><![CDATA[a < b &amp; c]]> &amp; d</title></html>'),
      'a < b &amp; c & d',
    );
    assert.equal(await read('text/xml', '<rss><channel><title>Feed</title></channel></rss>'), null);
    assert.equal(
      await read('text/xml', `<rss><title>Feed</title><content>${page('quoted')}</html></content></rss>`),
      null,
    );
    assert.equal(await read('application/vnd.wap.xhtml+xml', page('T')), 'T');
    assert.equal(await read('', `\n <!DOCTYPE html>${page('T')}`), 'T');
    assert.equal(await read('', '<!-- x --><title>T</title>'), 'T');
    assert.equal(await read('', `PK\u0003\u0004${page('T')}`), null);
    assert.equal(await read('text/html ; charset=utf-8', page('T')), 'T');
    assert.equal(await read('TEXT/HTML', page('T')), 'T');
  });

  it('any status with an HTML body is described', async () => {
    const { fetchPage } = siteOf({ 'http://a.example/': { status: 404, body: page('Not here') } });
    const { title, details } = await getMetadata(
      { ...request('http://a.example/'), details: true },
      { fetchPage, client, now },
    );
    assert.deepEqual([title, details!.status], ['Not here', 404]);
  });

  it('an empty body gives nulls', async () => {
    const { fetchPage } = siteOf({ 'http://a.example/': {} });
    const { title, charset, language } = await getMetadata(request('http://a.example/'), {
      fetchPage,
      client,
      now,
    });
    assert.deepEqual([title, charset, language], [null, null, null]);
  });

  it('relative URLs are resolved against the final URL, and a base against it', async () => {
    const body = page(
      'T',
      '<base href="../c/"><link rel=icon href=i.png><meta property=og:image content="?x">',
    );
    const { fetchPage } = siteOf({ 'http://a.example/': { body, finalUrl: 'https://b.example/d/e' } });
    const { favicon, og, url } = await getMetadata(request('http://a.example/'), { fetchPage, client, now });
    assert.deepEqual(
      [url, favicon, og.image],
      ['http://a.example/', 'https://b.example/c/i.png', 'https://b.example/c/?x'],
    );
  });
});

describe('the time that a page may take', () => {
  const read = (answer: Answer) =>
    getMetadata(request('http://a.example/'), {
      fetchPage: siteOf({ 'http://a.example/': answer }).fetchPage,
      client,
      now,
    });

  it('a head that was read in time is the answer', async () => {
    assert.equal((await read({ body: page('T'), end: 'timeout' })).title, 'T');
    assert.equal((await read({ body: '<title>T</title><p>', end: 'timeout' })).title, 'T');
    assert.equal((await read({ headers: { 'content-type': 'image/png' }, end: 'timeout' })).title, null);
  });

  it('408 where it was not', async () => {
    await assert.rejects(read({ body: '<html><head><title>T', end: 'timeout' }), isError('timeout'));
    await assert.rejects(read({ body: '', end: 'timeout' }), isError('timeout'));
    await assert.rejects(read({ error: new ApiError('timeout') }), isError('timeout'));
  });

  it('a page that the network cut off is described as far as it came, once its title was seen', async () => {
    assert.equal((await read({ body: '<title>T</title><meta ', end: 'cut' })).title, 'T');
    assert.equal((await read({ body: page('T'), end: 'cut' })).title, 'T');
    await assert.rejects(read({ body: '<html><head>', end: 'cut' }), isError('unreachable'));
    await assert.rejects(read({ end: 'cut' }), isError('unreachable'));
  });
});

describe('a meta refresh', () => {
  const refresh = (content: string, more = '') =>
    page('Wait', `<meta http-equiv=refresh content="${content}">${more}`);
  const titleOf = async (body: string, change: object = {}) => {
    const { fetchPage } = siteOf({
      'http://a.example/': { body },
      'http://a.example/to': { body: page('There') },
      'http://a.example/loop': { body: refresh('0;/') },
    });
    return (await getMetadata({ ...request('http://a.example/'), ...change }, { fetchPage, client, now }))
      .title;
  };

  it('is followed like a redirect when it comes within a second', async () => {
    for (const content of [
      '0;url=/to',
      '1; URL=to',
      "0;url='/to'",
      '0; url = http://a.example/to',
      '0,/to',
      '.5;url=/to',
      '0 url=/to',
      '0;/to#x',
    ]) {
      assert.equal(await titleOf(refresh(content)), content === '.5;url=/to' ? 'Wait' : 'There', content);
    }
  });

  it('is not when it is late, goes elsewhere than the web, or the page is one in its own right', async () => {
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

  it('counts as a hop and carries the visit on', async () => {
    const { fetchPage, requests } = siteOf({
      'http://a.example/': { body: refresh('0;url=/to') },
      'http://a.example/to': { body: page('There') },
    });
    const { details } = await getMetadata(
      { ...request('http://a.example/'), details: true },
      { fetchPage, client, now },
    );
    assert.deepEqual(details!.redirects, [{ url: 'http://a.example/', status: 200 }]);
    assert.equal(details!.finalUrl, 'http://a.example/to');
    assert.equal(requests[1]!.visit!.cookies, 'jar');
  });

  it('that leads nowhere, or round in a circle, leaves the page that was read', async () => {
    assert.equal(await titleOf(refresh('0;url=/gone')), 'Wait');
    const { fetchPage, requests } = siteOf({
      'http://a.example/': { body: refresh('0;url=/loop') },
      'http://a.example/loop': { body: refresh('0;url=/') },
    });
    assert.equal((await getMetadata(request('http://a.example/'), { fetchPage, client, now })).title, 'Wait');
    assert.ok(requests.length <= 11);
  });
});

describe('pages that take long to describe', () => {
  it('share the turns of the event loop, however many end at the same time', async () => {
    const text = Buffer.from('\x83\x65\x83\x58\x83\x67\x82\xcc ', 'latin1');
    const body = Buffer.concat([Buffer.from('<title>'), Buffer.alloc(20_000, text)]);
    const { fetchPage } = siteOf({ 'http://a.example/': { body } });
    const describeMany = async (): Promise<number> => {
      const meter = startTurnMeter();
      const answers = Array.from({ length: 30 }, async () => {
        const { charset } = await getMetadata(request('http://a.example/'), { fetchPage, client, now });
        assert.equal(charset, 'shift_jis');
      });
      await Promise.all(answers);
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

describe('identical requests under way at once', () => {
  const flights = new SharedFlights();

  it('share one visit, each with its own URL in the answer', async () => {
    const { fetchPage, requests, release } = siteOf({
      'http://a.example/': { body: page('T'), waits: 'start' },
    });
    const answers = ['http://a.example', 'http://A.example/#x', 'http://a.example:80/'].map((url) =>
      getMetadata(request(url), { fetchPage, client, now, flights }),
    );
    await Promise.resolve();
    release();
    assert.deepEqual(
      (await Promise.all(answers)).map(({ url }) => url),
      ['http://a.example', 'http://A.example/#x', 'http://a.example:80/'],
    );
    assert.equal(requests.length, 1);
    await getMetadata(request('http://a.example'), { fetchPage, client, now, flights });
    assert.equal(requests.length, 2, 'a later one is a new visit');
  });

  it('do not share what was asked differently', async () => {
    const { fetchPage, requests } = siteOf({ 'http://a.example/': { body: page('T') } });
    const asked = request('http://a.example/');
    await Promise.all(
      [asked, { ...asked, details: true }, { ...asked, followRedirects: false }].map((one) =>
        getMetadata(one, { fetchPage, client, now, flights }),
      ),
    );
    assert.equal(requests.length, 3);
  });

  it('of different accounts share no visit: what aborts one for its account’s share leaves the other alone', async () => {
    const site = siteOf({ 'http://a.example/': { body: page('T'), waits: 'start' } });
    const reclaimed = Promise.withResolvers<never>();
    const fetchPage: FetchPage = (asked, ...rest) => {
      const fetching = site.fetchPage(asked, ...rest);
      return asked.client === 'first' ? Promise.race([fetching, reclaimed.promise]) : fetching;
    };
    const [first, second] = ['first', 'second'].map((one) =>
      getMetadata(request('http://a.example/'), { fetchPage, client: one, now, flights }),
    );
    reclaimed.reject(new ApiError('rate_limit_exceeded'));
    await assert.rejects(async () => first, isError('rate_limit_exceeded'));
    site.release();
    assert.equal((await second)?.title, 'T');
    assert.equal(site.requests.length, 2);
  });

  it('fail together', async () => {
    const { fetchPage, requests } = siteOf({});
    const both = [1, 2].map(() =>
      getMetadata(request('http://a.example/'), { fetchPage, client, now, flights }),
    );
    await Promise.all(both.map((answer) => assert.rejects(answer, isError('unreachable'))));
    assert.equal(requests.length, 1);
  });

  it('a caller who leaves does not take the others along; the last one ends the visit', async () => {
    const { fetchPage, requests, release } = siteOf({
      'http://a.example/': { body: page('T'), waits: 'start' },
    });
    const [one, other] = [new AbortController(), new AbortController()];
    const first = getMetadata(request('http://a.example/'), { fetchPage, client, now, flights }, one.signal);
    const second = getMetadata(
      request('http://a.example/'),
      { fetchPage, client, now, flights },
      other.signal,
    );
    one.abort(new Error('gone'));
    await assert.rejects(first, /gone/);
    release();
    assert.equal((await second).title, 'T');
    assert.equal(requests.length, 1);

    const lonely = siteOf({ 'http://a.example/': { waits: 'start' } });
    const last = new AbortController();
    const answer = getMetadata(
      request('http://a.example/'),
      { fetchPage: lonely.fetchPage, client, now, flights },
      last.signal,
    );
    last.abort(new Error('all gone'));
    await assert.rejects(answer, /all gone/);
    const again = siteOf({ 'http://a.example/': { body: page('New') } });
    assert.equal(
      (await getMetadata(request('http://a.example/'), { fetchPage: again.fetchPage, client, now, flights }))
        .title,
      'New',
    );
  });

  it('each has its own deadline: 408 without the head, what was read with it', async () => {
    const silent = siteOf({ 'http://a.example/': { waits: 'start', body: page('T') } });
    const patient = getMetadata(request('http://a.example/'), {
      fetchPage: silent.fetchPage,
      client,
      now,
      flights,
    });
    await assert.rejects(
      getMetadata(
        { ...request('http://a.example/'), timeoutMs: 5 },
        { fetchPage: silent.fetchPage, client, now, flights },
      ),
      isError('timeout'),
    );
    silent.release();
    assert.equal((await patient).title, 'T');

    const slow = siteOf({ 'http://a.example/': { waits: 'end', body: page('T') } });
    const waiting = getMetadata(request('http://a.example/'), {
      fetchPage: slow.fetchPage,
      client,
      now,
      flights,
    });
    assert.equal(
      (
        await getMetadata(
          { ...request('http://a.example/'), timeoutMs: 5 },
          { fetchPage: slow.fetchPage, client, now, flights },
        )
      ).title,
      'T',
    );
    slow.release();
    assert.equal((await waiting).title, 'T');
    assert.equal(slow.requests.length, 1);
  });

  it('one with more time than the visit it joined begins another when that one runs out', async () => {
    let calls = 0;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const inner = siteOf({ 'http://a.example/': { body: page('T') } });
    const fetchPage: FetchPage = (...args) => (++calls === 1 ? late : inner.fetchPage(...args));
    const hasty = getMetadata(
      { ...request('http://a.example/'), timeoutMs: 1_000 },
      { fetchPage, client, now, flights },
    );
    const patient = getMetadata(
      { ...request('http://a.example/'), timeoutMs: 9_000 },
      { fetchPage, client, now, flights },
    );
    reject(new ApiError('timeout'));
    await assert.rejects(hasty, isError('timeout'));
    assert.equal((await patient).title, 'T');
  });

  it('an aborted signal asks for nothing', async () => {
    const { fetchPage, requests } = siteOf({});
    await assert.rejects(
      getMetadata(
        request('http://a.example/'),
        { fetchPage, client, now, flights },
        AbortSignal.abort(new Error('before')),
      ),
      /before/,
    );
    assert.equal(requests.length, 0);
  });
});

describe('the answer cache', () => {
  const setUp = (headers: Record<string, string>, answer: Answer = {}) => {
    const clock = { ms: 1_000_000 };
    const site = siteOf({ 'http://a.example/': { body: page('T'), headers, ...answer } });
    const cache = openMetadataCache({ maxEntries: 10, ttlSeconds: 600, now: () => clock.ms });
    const deps = { fetchPage: site.fetchPage, client, now: () => clock.ms, cache };
    return {
      clock,
      count: () => site.requests.length,
      read: (url = 'http://a.example/') => getMetadata(request(url), deps),
    };
  };

  it('answers again without a visit until the time to live is over, with the caller\u2019s own URL', async () => {
    const { clock, count, read } = setUp({});
    assert.equal((await read()).title, 'T');
    clock.ms += 599_999;
    assert.deepEqual([(await read('http://a.example/#z')).url, count()], ['http://a.example/#z', 1]);
    clock.ms += 1;
    await read();
    assert.equal(count(), 2);
  });

  it('keeps nothing longer than the target allows', async () => {
    const cases: [headers: Record<string, string>, seconds: number][] = [
      [{ 'cache-control': 'max-age=60' }, 60],
      [{ 'cache-control': 'public, s-maxage="30", max-age=60' }, 30],
      [{ 'cache-control': 'max-age=60', age: '50' }, 10],
      [{ 'cache-control': 'max-age=99999999' }, 600],
      [{ expires: 'Thu, 01 Jan 1970 00:17:40 GMT', date: 'Thu, 01 Jan 1970 00:16:40 GMT' }, 60],
      [{ expires: '0' }, 0],
      [{ 'cache-control': 'no-store' }, 0],
      [{ 'cache-control': 'no-cache' }, 0],
      [{ 'cache-control': 'private, max-age=60' }, 0],
      [{ 'cache-control': 'max-age=0' }, 0],
      [{ 'cache-control': 'max-age=nonsense' }, 0],
      [{ 'cache-control': 'max-age=99999999999999999999' }, 600],
      [{ 'cache-control': 'max-age=60, max-age=300' }, 60],
      [{ expires: 'Thu, 01 Jan 1970 00:17:40 GMT', age: '50' }, 10],
      [{ vary: '*' }, 0],
    ];
    for (const [headers, seconds] of cases) {
      const { clock, count, read } = setUp(headers);
      await read();
      clock.ms += seconds * 1_000 - 1;
      await read();
      assert.equal(count(), seconds === 0 ? 2 : 1, JSON.stringify(headers));
      clock.ms += 1;
      await read();
      assert.equal(count(), seconds === 0 ? 3 : 2, JSON.stringify(headers));
    }
  });

  it('keeps nothing longer than the hops to the page allow', async () => {
    const page60 = { body: page('T'), headers: { 'cache-control': 'max-age=60' } };
    for (const [hop, seconds] of [
      ['max-age=10', 10],
      ['no-store', 0],
      ['max-age=300', 60],
      ['', 60],
    ] as const) {
      const refresh = '<meta http-equiv=refresh content="0;url=/b">';
      const { fetchPage, requests } = siteOf({
        'http://a.example/': { body: refresh, headers: { 'cache-control': hop } },
        'http://a.example/b': page60,
      });
      const clock = { ms: 0 };
      const cache = openMetadataCache({ maxEntries: 10, ttlSeconds: 600, now: () => clock.ms });
      const read = () =>
        getMetadata(request('http://a.example/'), { fetchPage, client, now: () => clock.ms, cache });
      await read();
      clock.ms = seconds * 1_000 - 1;
      await read();
      assert.equal(requests.length, seconds === 0 ? 4 : 2, hop);
      clock.ms += 1;
      await read();
      assert.equal(requests.length, seconds === 0 ? 6 : 4, hop);
    }
  });

  it('holds so many bytes, not only so many answers', async () => {
    const { fetchPage, requests } = siteOf({
      'http://a.example/': { body: page('T') },
      'http://b.example/': { body: page('T'.repeat(9_000)) },
    });
    const cache = openMetadataCache({ maxEntries: 10, maxBytes: 10_000, ttlSeconds: 600, now });
    const read = (url: string) => getMetadata(request(url), { fetchPage, client, now, cache });
    for (const url of ['http://a.example/', 'http://b.example/', 'http://a.example/', 'http://b.example/'])
      await read(url);
    assert.equal(requests.filter((made) => made.url.host === 'a.example').length, 1);
    assert.equal(requests.filter((made) => made.url.host === 'b.example').length, 2);
  });

  it('that is out of order is none', async () => {
    const fail = () => Promise.reject(new Error('away'));
    const { fetchPage } = siteOf({ 'http://a.example/': { body: page('T') } });
    const cache = { ttlSeconds: 60, find: fail, store: fail };
    assert.equal(
      (await getMetadata(request('http://a.example/'), { fetchPage, client, now, cache })).title,
      'T',
    );
  });

  it('keeps no errors, no halves, and no server faults', async () => {
    for (const answer of [{ end: 'cut' }, { end: 'timeout' }, { status: 500 }, { status: 302 }] as const) {
      const { count, read } = setUp({}, answer);
      await read();
      await read();
      assert.equal(count(), 2, JSON.stringify(answer));
    }
    const { count, read } = setUp({}, { status: 404 });
    await read();
    await read();
    assert.equal(count(), 1);
  });
});
