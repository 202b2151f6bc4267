import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Resource, ResourceFailure } from '#browser';
import { NotInlinableError, ResourceLoader } from './resource-loader.ts';

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

  it('that cannot be loaded is null, or empty if all must be inlined; it is a failure in both cases', async () => {
    for (const outcome of [{ failure: 'did not answer in time' }, createSheet('p{}', 'text/css', 404)]) {
      const perhaps = openLoader(outcome, false);
      assert.equal(await perhaps.load(), null);
      const always = openLoader(outcome, true);
      const sheet = await always.load();
      assert.deepEqual([sheet?.url, sheet?.css], ['about:blank', '']);
      for (const { loader } of [perhaps, always])
        assert.deepEqual(
          loader.failures.map(({ url, type }) => [url, type]),
          [[URL_OF_SHEET, 'Stylesheet']],
        );
    }
  });

  it('of another type cannot be inlined, and is empty and a failure if all must be', async () => {
    const html = createSheet('<p>', 'text/html');
    await assert.rejects(openLoader(html, false).load(), NotInlinableError);
    const { loader, load } = openLoader(html, true);
    assert.equal((await load())?.css, '');
    assert.deepEqual(loader.failures, [
      { url: URL_OF_SHEET, type: 'Stylesheet', failure: 'is not text/css' },
    ]);
  });
});
