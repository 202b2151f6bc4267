import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import { parsePageUrl } from './parse-page-url.ts';

describe('the URL of a page', () => {
  const accepted: [given: string, href: string][] = [
    ['http://example.com', 'http://example.com/'],
    ['HTTPS://Example.COM:443/a?b=c d#e', 'https://example.com/a?b=c%20d'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['http://[2606:4700::1]:8080/', 'http://[2606:4700::1]:8080/'],
    ['http://example.com/@a:b', 'http://example.com/@a:b'],
    ['http://example.com?@', 'http://example.com/?@'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['http:example.com', 'http://example.com/'],
    ['http:/example.com', 'http://example.com/'],
    ['http:////example.com', 'http://example.com/'],
    ['http:\\\\example.com', 'http://example.com/'],
    ['http://@example.com/', 'http://example.com/'],
  ];
  for (const [given, href] of accepted)
    it(`${given.slice(0, 60)} is ${href.slice(0, 60)}`, () => assert.equal(parsePageUrl(given).href, href));

  it('has at most 4,096 characters, counted before percent-encoding', () => {
    const pad = (length: number, letter: string) => 'http://example.com/'.padEnd(length, letter);
    assert.equal(parsePageUrl(pad(4_096, 'a')).href, pad(4_096, 'a'));
    assert.equal(parsePageUrl(pad(4_096, 'é')).href.length, 19 + 6 * (4_096 - 19));
    for (const letter of ['a', 'é'])
      assert.throws(() => parsePageUrl(pad(4_097, letter)), {
        code: 'invalid_url',
        message: /4,096 characters/,
      });
  });

  it('has a limit that includes the fragment, which is not sent', () => {
    const url = 'http://example.com/#'.padEnd(4_096, 'x');
    assert.equal(parsePageUrl(url).href, 'http://example.com/');
    assert.throws(() => parsePageUrl(`${url}x`), { code: 'invalid_url', message: /4,096 characters/ });
  });

  const refused = [
    '',
    ' ',
    'example.com',
    '//example.com/',
    '/a',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'http:',
    'http://',
    'https://?x',
    `http:${'a'.repeat(64)}`,
    `http://${'a.'.repeat(127)}com/`,
    'http://#x',
    'http://exa mple.com/',
    'http://example.com:99999/',
    'http://[::1',
    'http://%zz/',
    'http://user@example.com/',
    'http://user:pass@example.com/',
    'http://a@b@example.com/',
    ' http://example.com/',
    'http://example.com/ ',
    '\u00a0http://example.com/',
    'http://example.com/\n',
    'http://exa\tmple.com/',
    'http://example.com/\u0000',
    'http://example.com/\u0085',
    'http://example.com/\ud800',
    'view-source:http://example.com/',
    'blob:http://example.com/x',
  ];
  for (const given of refused) {
    it(`${JSON.stringify(given.slice(0, 60))} is refused`, () => {
      assert.throws(
        () => parsePageUrl(given),
        (error) =>
          error instanceof ApiError &&
          error.code === 'invalid_url' &&
          error.status === 400 &&
          error.param === 'url',
      );
    });
  }
});
