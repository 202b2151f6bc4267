import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCookieJar } from './cookie-jar.ts';

const NOW = Date.UTC(2026, 10, 21);

function ask(from: string, setCookies: string[], to: string): string | null {
  const jar = createCookieJar();
  for (const setCookie of setCookies) jar.store(new URL(from), setCookie, NOW);
  return jar.findHeader(new URL(to));
}

describe('the cookie jar of a visit', () => {
  it('sends a cookie to the host that set it, and to no other', () => {
    assert.equal(ask('https://a.example.com/x/y', ['id=1; Path=/'], 'https://a.example.com/'), 'id=1');
    assert.equal(ask('https://a.example.com/', ['id=1'], 'https://b.example.com/'), null);
    assert.equal(ask('https://a.example.com/', ['id=1'], 'https://x.a.example.com/'), null);
  });

  it('honors Domain if it covers the host, and never for a public suffix or another domain', () => {
    assert.equal(
      ask('https://a.example.com/', ['id=1; Domain=.example.com'], 'https://b.example.com/'),
      'id=1',
    );
    assert.equal(ask('https://a.com/', ['id=1; Domain'], 'https://a.com/'), 'id=1');
    assert.equal(ask('https://a.example.com/', ['id=1; Domain=com'], 'https://b.com/'), null);
    assert.equal(ask('https://a.co.uk/', ['id=1; Domain=co.uk'], 'https://b.co.uk/'), null);
    assert.equal(ask('https://a.example.com/', ['id=1; Domain=other.com'], 'https://other.com/'), null);
    assert.equal(ask('http://1.2.3.4/', ['id=1; Domain=3.4'], 'http://9.9.3.4/'), null);
  });

  it('honors Path, its default, and Secure', () => {
    assert.equal(ask('https://a.com/dir/page', ['id=1'], 'https://a.com/dir/other'), 'id=1');
    assert.equal(ask('https://a.com/dir/page', ['id=1'], 'https://a.com/directory'), null);
    assert.equal(ask('https://a.com/page', ['id=1', 'id=2; Path=/'], 'https://a.com/'), 'id=2');
    assert.equal(ask('https://a.com/', ['id=1; Path=/dir'], 'https://a.com/dir/x'), 'id=1');
    assert.equal(ask('https://a.com/', ['id=1;Path=/dir'], 'https://a.com/dir'), 'id=1');
    assert.equal(ask('https://a.com/', ['id=1; Path=/dir'], 'https://a.com/other'), null);
    assert.equal(ask('https://a.com/', ['id=1; Secure'], 'https://a.com/'), 'id=1');
    assert.equal(ask('https://a.com/', ['id=1; Secure'], 'http://a.com/'), null);
    assert.equal(ask('http://a.com/', ['id=1; Secure'], 'https://a.com/'), null);
  });

  it('replaces cookies by name, deletes expired ones, and sends longer paths first', () => {
    assert.equal(ask('https://a.com/', ['id=1', 'id=2'], 'https://a.com/'), 'id=2');
    assert.equal(ask('https://a.com/', ['id=1', 'id=; Max-Age=0'], 'https://a.com/'), null);
    assert.equal(
      ask('https://a.com/', ['id=1', 'id=; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], 'https://a.com/'),
      null,
    );
    assert.equal(
      ask('https://a.com/', ['id=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], 'https://a.com/'),
      'id=1',
    );
    assert.equal(
      ask('https://a.com/', ['id=1; Max-Age=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], 'https://a.com/'),
      null,
    );
    assert.equal(ask('https://a.com/', ['id=1;Max-Age=0'], 'https://a.com/'), null);
    assert.equal(ask('https://a.com/', ['id=1; Max-Age=1'], 'https://a.com/'), 'id=1');
    const [now, later] = [0, 1_000].map((ms) => new Date(NOW + ms).toUTCString());
    assert.equal(ask('https://a.com/', [`id=1; Expires=${now}`], 'https://a.com/'), null);
    assert.equal(ask('https://a.com/', [`id=1; Expires=${later}`], 'https://a.com/'), 'id=1');
    assert.equal(ask('https://a.com/d/x', ['a=1; Path=/', 'b=2; Path=/d'], 'https://a.com/d/y'), 'b=2; a=1');
  });

  it('stores no cookie that could change the request, and at most 50', () => {
    assert.equal(
      ask('https://a.com/', ['=x', 'novalue', 'a b=1', 'n=a\r\nX-Evil: 1', 'n=\u0000'], 'https://a.com/'),
      null,
    );
    const longest = `big=${'x'.repeat(4092)}`;
    assert.equal(ask('https://a.com/', [longest], 'https://a.com/'), longest);
    assert.equal(ask('https://a.com/', [`${longest}x`], 'https://a.com/'), null);
    const many = Array.from({ length: 200 }, (_, index) => `c${index}=v`);
    assert.equal(ask('https://a.com/', many, 'https://a.com/')?.split('; ').length, 50);
  });
});
