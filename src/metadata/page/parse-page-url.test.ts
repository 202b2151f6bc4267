import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import { parsePageUrl } from './parse-page-url.ts';

describe('the url parameter', () => {
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
    [`http://example.com/${'a'.repeat(4_096 - 19)}`, `http://example.com/${'a'.repeat(4_096 - 19)}`],
  ];
  for (const [given, href] of accepted)
    it(`${given.slice(0, 60)} is ${href.slice(0, 60)}`, () => assert.equal(parsePageUrl(given).href, href));

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
    `http://example.com/${'a'.repeat(4_096)}`,
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
