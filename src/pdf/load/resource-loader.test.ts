import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hash } from 'node:crypto';
import type { Resource, ResourceFailure } from '#browser';
import { NotInlinableError, ResourceLoader, matchesIntegrity } from './resource-loader.ts';

const URL_OF_SHEET = 'https://site.example/app.css';

function createSheet(css: string, contentType = 'text/css', status = 200): Resource {
  return { url: URL_OF_SHEET, status, headers: [['content-type', contentType]], body: Buffer.from(css) };
}

function openLoader(outcome: Resource | ResourceFailure, mustInline: boolean) {
  const loader = new ResourceLoader(async () => outcome, new AbortController().signal, { mustInline });
  return { loader, load: () => loader.loadStyleSheet(URL_OF_SHEET, null, null) };
}

describe('a style sheet', () => {
  for (const mustInline of [false, true])
    it(`is loaded with its text and URL${mustInline ? ', also if all must be inlined' : ''}`, async () => {
      const { loader, load } = openLoader(createSheet('p{color:red}'), mustInline);
      const sheet = await load();
      assert.deepEqual([sheet?.url, sheet?.css], [URL_OF_SHEET, 'p{color:red}']);
      assert.deepEqual(loader.failures, []);
    });

  it('that cannot be loaded is a failure', async () => {
    for (const mustInline of [false, true]) {
      const { loader, load } = openLoader({ failure: 'did not answer in time' }, mustInline);
      assert.equal(await load(), null);
      assert.deepEqual(
        loader.failures.map(({ url, type }) => [url, type]),
        [[URL_OF_SHEET, 'Stylesheet']],
      );
    }
  });

  it('with an error status cannot be inlined, and is a failure if all must be', async () => {
    const missing = createSheet('p{}', 'text/css', 404);
    await assert.rejects(openLoader(missing, false).load(), NotInlinableError);
    const { loader, load } = openLoader(missing, true);
    assert.equal(await load(), null);
    assert.equal(loader.failures[0]?.failure, 'was answered with status 404');
  });

  it('of another type cannot be inlined, and is a failure if all must be', async () => {
    const html = createSheet('<p>', 'text/html');
    await assert.rejects(openLoader(html, false).load(), NotInlinableError);
    const { loader, load } = openLoader(html, true);
    assert.equal(await load(), null);
    assert.deepEqual(loader.failures, [
      { url: URL_OF_SHEET, type: 'Stylesheet', failure: 'is not text/css' },
    ]);
  });
});

const BODY = Buffer.from('p{color:red}');
const [SHA256 = '', SHA384 = '', SHA512 = ''] = ['sha256', 'sha384', 'sha512'].map(
  (algorithm) => `${algorithm}-${hash(algorithm, BODY, 'base64')}`,
);
const OTHER_256 = `sha256-${hash('sha256', 'other', 'base64')}`;
const OTHER_512 = `sha512-${hash('sha512', 'other', 'base64')}`;

/** Each attribute with the verdict. */
const ROWS: [integrity: string, matches: boolean][] = [
  [SHA256, true],
  [`\n${SHA384} \t`, true],
  [`${OTHER_512} ${SHA512}`, false],
  [`${OTHER_256} ${SHA512}`, false],
  // A browser would take the strongest one.
  [`${SHA256} ${SHA512}`, false],
  [`${SHA256} ${OTHER_512}`, false],
  [OTHER_256, false],
  [SHA256.slice(0, -1), false],
  [SHA256.toUpperCase(), false],
  [`${SHA256} sha-256-x`, false],
  [`${SHA256} ed25519-x`, false],
  ['sha256-x', false],
  // A browser would pass over what it does not know: the warm lane decides.
  [`md5-x ${SHA256}`, false],
  [`md5-x ${OTHER_256}`, false],
  [`${SHA256}?x`, false],
  [' ', false],
  ['', false],
  ['none', false],
];

void it('a file matches an integrity attribute of one hash, which it has', () => {
  for (const [integrity, matches] of ROWS)
    assert.equal(matchesIntegrity(BODY, integrity), matches, JSON.stringify(integrity));
});
