import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PdfEngine } from '#pdf';
import { generate, openEngine } from './support/open-engine.ts';

let engine: PdfEngine;

before(async () => {
  engine = await openEngine({
    openResourceFetcher:
      () =>
      ({ url }) =>
        Promise.resolve(
          url.endsWith('.js')
            ? {
                url,
                status: 200,
                headers: [['content-type', 'text/javascript']],
                body: Buffer.from('\n\nnull.from;'),
              }
            : { failure: 'could not be reached' },
        ),
  });
});
after(() => engine.close());

async function listWarnings(html: string, members: Record<string, unknown> = {}): Promise<string[]> {
  return (await generate(engine, { html, ...members })).warnings;
}

describe('warnings about scripts', () => {
  it('are errors that no script caught, in their order, with file and line', async () => {
    assert.deepEqual(
      await listWarnings(
        `<!doctype html>
<script>noSuch.thing</script>
<script>try { caught() } catch {}; setTimeout(() => { throw 'a\\u0000 string\\nof lines' }, 50)</script>
<script src="https://cdn.example/lib.js" crossorigin></script>
<script>Promise.reject(new TypeError('late.')); Promise.reject(1).catch(() => {})</script>
<p>text`,
      ),
      [
        'A script failed: ReferenceError: noSuch is not defined (line 2).',
        "A script failed: TypeError: Cannot read properties of null (reading 'from') (https://cdn.example/lib.js, line 3).",
        'A script failed: TypeError: late.',
        'A script failed: a string of lines (line 3).',
      ],
    );
  });
  it('include those of beforeprint, and not those that the document handled', async () => {
    assert.deepEqual(
      await listWarnings(`<script>
        addEventListener('beforeprint', () => { throw new Error('at print') });
        addEventListener('error', (event) => { if (/mine/.test(event.message)) event.preventDefault() });
        addEventListener('unhandledrejection', (event) => { if (event.reason === 'mine') event.preventDefault() });
        setTimeout(() => { throw new Error('mine') });
        Promise.reject('mine');
      </script>x`),
      ['A script failed: Error: at print (line 2).'],
    );
  });
  it('are at most 20, of bounded length, however many a document throws', async () => {
    const warnings = await listWarnings(`<script>
      const text = 'x'.repeat(1e4);
      let number = 0;
      setInterval(() => { number += 1; Promise.reject(number + text); throw number + text; }, 1);
    </script>x`);
    assert.equal(warnings.length, 20);
    assert.ok(warnings.every((text) => text.length <= 200));
  });
  it('do not fail the render if the document attacks how they are collected', async () => {
    const warnings = await listWarnings(`<script>
      dispatchEvent(new Event('error'));
      dispatchEvent(new Event('unhandledrejection'));
      Promise.reject({ toString() { throw 1 } });
      for (const type of [ErrorEvent, Event, String, Array, Object])
        for (const name of ['message', 'filename', 'lineno', 'defaultPrevented', 'slice', '0', 'toJSON'])
          Object.defineProperty(type.prototype, name, { get() { throw 2 }, set() { throw 3 } });
      throw new Error('seen');
    </script>x`);
    assert.deepEqual(warnings, ['A script failed: Error: seen (line 8).']);
  });
  it('are left out if the document is busy after it was printed', async () => {
    const warnings = await listWarnings(
      `<script>addEventListener('afterprint', () => { for (;;); }); noSuch.thing;</script>x`,
    );
    assert.deepEqual(warnings, []);
  });
  it('are none without javascript', async () => {
    assert.deepEqual(await listWarnings('<script>noSuch.thing</script>x', { javascript: false }), []);
  });
});
