/** URLs that are refused by their spelling, before any DNS query. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Refusal } from './refusal.ts';
import { isLocalhost, parseTarget } from './target.ts';

const parse = (url: string) => parseTarget(new URL(url));
const assertRefused = (url: string) => assert.throws(() => parse(url), Refusal, url);

/** Returns the private suffixes that docs/operate/egress.md lists. */
function loadDocumentedSuffixes(): string[] {
  const text = readFileSync(new URL('../../../docs/operate/egress.md', import.meta.url), 'utf8');
  const list = /names that end in `([^`]+)`/.exec(text)?.[1] ?? '';
  return list.split(' ').map((suffix) => suffix.replace(/^\./, ''));
}

describe('the target of a URL', () => {
  it('has the scheme, host and port of an http or https URL', () => {
    assert.deepEqual(parse('https://Example.COM./x'), {
      origin: 'https://example.com.',
      isTls: true,
      host: 'example.com',
      isLiteral: false,
      port: 443,
    });
    assert.deepEqual(parse('http://[2001:db8::1]:8080/'), {
      origin: 'http://[2001:db8::1]:8080',
      isTls: false,
      host: '2001:db8::1',
      isLiteral: true,
      port: 8080,
    });
  });

  it('is refused for every scheme other than http and https', () => {
    for (const url of ['ftp://a.com/', 'file:///etc/passwd', 'ws://a.com/', 'gopher://a.com/', 'data:,x'])
      assertRefused(url);
  });

  it('is refused for credentials, and for a user name alone', () => {
    for (const url of ['http://user:secret@a.com/', 'http://user@a.com/', 'http://:secret@a.com/'])
      assertRefused(url);
  });

  it('is refused for a single label', () => {
    for (const host of ['redis', 'metadata', 'com', 'redis.']) assertRefused(`http://${host}/`);
  });

  it('is refused for every private suffix of docs/operate/egress.md', () => {
    const suffixes = loadDocumentedSuffixes();
    assert.ok(suffixes.length >= 20, 'the list is in the document');
    for (const suffix of suffixes) {
      assertRefused(`http://a.${suffix}/`);
      assertRefused(`http://a.b.${suffix.toUpperCase()}./`);
      assert.equal(parse(`http://${suffix.replace('.', '')}.com/`).port, 80, 'only as a suffix');
    }
  });

  it('may be localhost, which the policy decides on', () => {
    for (const host of ['localhost', 'a.localhost', 'localhost.']) {
      assert.equal(isLocalhost(parse(`http://${host}/`).host), true);
    }
    assert.equal(isLocalhost('notlocalhost'), false);
    assert.equal(isLocalhost('localhost.com'), false);
  });
});
