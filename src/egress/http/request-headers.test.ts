import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import {
  BROWSER_VERSION,
  buildPageHeaders,
  createUserAgents,
  dropForRedirect,
  pickRequestHeaders,
  pickResponseHeaders,
} from './request-headers.ts';

const CONTACT = 'https://example.com/bot';

/** Names by which sites know the crawlers of other companies. */
const CRAWLERS =
  /facebook|facebot|twitter|slack|discord|whatsapp|telegram|linkedin|pinterest|skype|googlebot|bingbot|applebot|yandex|baidu|duckduck|iframely|embedly|mastodon/i;

function getHeaders(url: string, identity: Parameters<typeof buildPageHeaders>[1]): Map<string, string> {
  const agents = createUserAgents({ userAgent: null, contactUrl: CONTACT });
  const list = buildPageHeaders(new URL(url), identity, agents);
  const pairs = list.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, list[at + 1]!]] : []));
  assert.equal(new Set(pairs.map(([name]) => name)).size, pairs.length, 'no header is sent twice');
  return new Map(pairs);
}

describe('the User-Agent', () => {
  it('of the bot names the contact page that the operator set', () => {
    const agents = createUserAgents({ userAgent: null, contactUrl: CONTACT });
    assert.equal(agents.bot, `Mozilla/5.0 (compatible; UtilityAPIbot/1.0; +${CONTACT})`);
    const unset = createUserAgents({ userAgent: null, contactUrl: null });
    assert.equal(unset.bot, 'Mozilla/5.0 (compatible; UtilityAPIbot/1.0)');
  });

  it('of the bot is the operator’s own, if there is one', () => {
    const agents = createUserAgents({ userAgent: 'Own/1.0 (+a)', contactUrl: CONTACT });
    assert.equal(agents.bot, 'Own/1.0 (+a)');
    assert.match(agents.preview, /^Own\/1\.0 \(\+a\) /);
  });

  it('of a preview is the bot’s, and says what it does', () => {
    const { bot, preview } = createUserAgents({ userAgent: null, contactUrl: CONTACT });
    assert.equal(preview, `${bot} (link preview; one page at the request of a user)`);
  });

  it('names no other company’s crawler', () => {
    for (const agent of Object.values(createUserAgents({ userAgent: null, contactUrl: CONTACT })))
      assert.doesNotMatch(agent, CRAWLERS);
  });

  it('of a browser is the one of the Chromium that renders documents', () => {
    const [, major] =
      /"@sparticuz\/chromium": "(\d+)\./.exec(readFileSync('runtime/browser/package.json', 'utf8')) ?? [];
    const version = Number(major);
    assert.equal(BROWSER_VERSION, version, 'set BROWSER_VERSION to the major version of the package');
    const { browser } = createUserAgents({ userAgent: 'Own/1.0', contactUrl: CONTACT });
    assert.match(browser, new RegExp(`Chrome/${version}\\.0\\.0\\.0 `));
    assert.doesNotMatch(browser, /Headless|bot/i);
  });
});

describe('the headers of a page request', () => {
  it('are those of the bot by default, without a language', () => {
    assert.deepEqual(
      [...getHeaders('https://a.example/', {}).keys()],
      ['user-agent', 'accept', 'accept-encoding'],
    );
  });

  it('have the language of the request, with every user agent', () => {
    for (const userAgent of ['bot', 'preview', 'browser'] as const)
      assert.equal(
        getHeaders('http://a.example/', { userAgent, language: 'de' }).get('accept-language'),
        'de',
      );
  });

  it('of a browser always have a language', () => {
    const headers = getHeaders('http://a.example/', { userAgent: 'browser', language: null });
    assert.equal(headers.get('accept-language'), 'en-US,en;q=0.9');
  });

  it('of a browser are those of an image or a fetch if the request accepts no page', () => {
    const pick = (accept: string) => {
      const headers = getHeaders('https://a.example/', { userAgent: 'browser', accept });
      const names = [
        'accept',
        'sec-fetch-dest',
        'sec-fetch-mode',
        'sec-fetch-user',
        'upgrade-insecure-requests',
      ];
      return names.map((name) => headers.get(name));
    };
    const image = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
    assert.deepEqual(pick('image/*,*/*;q=0.5'), [image, 'image', 'no-cors', undefined, undefined]);
    assert.deepEqual(pick('application/json'), ['application/json', 'empty', 'cors', undefined, undefined]);
    const plain = getHeaders('http://a.example/', { userAgent: 'browser', accept: 'image/*' });
    assert.deepEqual([plain.get('accept'), plain.has('sec-fetch-dest')], [image, false]);
  });

  it('of a browser have client hints and fetch metadata for https only, as a browser’s', () => {
    const secure = getHeaders('https://a.example/', { userAgent: 'browser' });
    assert.equal(secure.get('sec-fetch-mode'), 'navigate');
    assert.match(secure.get('sec-ch-ua') ?? '', new RegExp(`"Chromium";v="${BROWSER_VERSION}"`));
    const plain = getHeaders('http://a.example/', { userAgent: 'browser' });
    assert.deepEqual(
      [...plain.keys()].filter((name) => name.startsWith('sec-')),
      [],
    );
  });
});

describe('the request headers of a resource', () => {
  it('are those of an allowlist whose values could not end the header', () => {
    const allowed = {
      accept: 'image/avif',
      'accept-language': 'de',
      authorization: 'Bearer own',
      'content-language': 'de',
      'content-type': 'text/plain',
      'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT',
      'if-none-match': '"a"',
      origin: 'null',
      range: 'bytes=0-10',
    };
    const upperCase = Object.fromEntries(
      Object.entries(allowed).map(([name, value]) => [name.toUpperCase(), value]),
    );
    assert.deepEqual(Object.fromEntries(pickRequestHeaders(upperCase)), allowed);
    assert.deepEqual([...pickRequestHeaders({ cookie: 'a=1', host: 'internal', referer: 'x' })], []);
    for (const character of ['\r', '\n', '\0', '\x1f', '\x7f', '\u0100'])
      assert.deepEqual([...pickRequestHeaders({ accept: `a${character}b` })], []);
    assert.equal(pickRequestHeaders({ accept: '\t ~\x80\xff' }).size, 1);
  });

  it('lose Authorization at another origin, and those of the body with the body', () => {
    const all = ['accept', 'authorization', 'content-language', 'content-type'];
    for (const [isSameOrigin, keepsBody, kept] of [
      [true, true, all],
      [true, false, ['accept', 'authorization']],
      [false, true, ['accept', 'content-language', 'content-type']],
      [false, false, ['accept']],
    ] as const) {
      const headers = new Map(all.map((name) => [name, 'x']));
      dropForRedirect(headers, isSameOrigin, keepsBody);
      assert.deepEqual([...headers.keys()], kept);
    }
  });
});

describe('the response headers of a resource', () => {
  const pick = (...texts: string[]) => pickResponseHeaders(texts.map((text) => Buffer.from(text, 'latin1')));

  it('are in order, with names in lower case and trimmed values', () => {
    assert.deepEqual(pick('Content-Type', ' text/css ', 'X-A', '1', 'x-a', '\xe4', 'odd'), [
      ['content-type', 'text/css'],
      ['x-a', '1'],
      ['x-a', '\xe4'],
    ]);
  });

  it('are without those of the connection, of the encoded body, and of state that is not kept', () => {
    const dropped = [
      'Alt-Svc',
      'Clear-Site-Data',
      'Connection',
      'Content-Encoding',
      'Content-Length',
      'Keep-Alive',
      'Proxy-Authenticate',
      'Proxy-Connection',
      'Set-Cookie',
      'Set-Cookie2',
      'Strict-Transport-Security',
      'Trailer',
      'Transfer-Encoding',
      'Upgrade',
    ];
    for (const name of dropped) assert.deepEqual(pick(name, 'x'), [], name);
  });
});
