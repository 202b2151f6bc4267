import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dropForRedirect, pickRequestHeaders, pickResponseHeaders } from './resource-headers.ts';

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
