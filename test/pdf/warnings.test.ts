import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { PdfEngine } from '#pdf';
import { sample } from '../support/sample.ts';
import { createIconFont } from './support/icon-font.ts';
import { readPdf } from './support/read-pdf.ts';
import { generate } from './support/open-engine.ts';
import { shareEngine } from './support/shared-engine.ts';

let engine: PdfEngine;

before(async () => {
  engine = await shareEngine(
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
  );
});

async function listWarnings(html: string, members: Record<string, unknown> = {}): Promise<string[]> {
  return (await generate(engine, { html, ...members })).warnings;
}

/** Returns a half of each class for the static lane and a quarter for the warm lane, unless TEST_FULL=1. */
function sampleOf<Row>(
  lane: 'static' | 'warm',
  rows: readonly Row[],
  classify: (row: Row) => string,
): readonly Row[] {
  return sample(rows, lane === 'static' ? 2 : 4, classify);
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
    const html = `<script>addEventListener('afterprint', () => { for (;;); }); noSuch.thing;</script>x`;
    const tall = { header_html: '<p style="height:50mm">', margin_top: '10mm' };
    // At once, so that they share the time of their endless loops.
    const [unusual, withHeader] = await Promise.all([
      listWarnings(`${html}\u{10FFFD}`),
      listWarnings(html, tall),
    ]);
    assert.deepEqual(unusual, [], 'with an unusual character');
    assert.deepEqual(withHeader, [], 'with a header');
  });
  it('are left out if a script of a frame is busy after the document was printed', async () => {
    const script = `<script>addEventListener('afterprint', () => { for (;;); })</script>`;
    const html = `<iframe srcdoc="${script.replaceAll('<', '&lt;')}"></iframe>\u{10FFFD}`;
    assert.deepEqual(await listWarnings(html), []);
  });
  it('are those of handlers in attributes too', async () => {
    assert.deepEqual(await listWarnings('<body onload="noSuch()">x'), [
      'A script failed: ReferenceError: noSuch is not defined (line 1).',
    ]);
  });
  it('are none without javascript', async () => {
    assert.deepEqual(await listWarnings('<script>noSuch.thing</script>x', { javascript: false }), []);
  });
});

describe('the warning about content that is cut off', () => {
  const CUT = [
    'The document is more than 1.5 times as wide as its page: it was shrunk to two thirds, and the rest was cut off.',
  ];
  const wide = (width: number): string =>
    `<p>x<div style="width:${width}px;display:flex;justify-content:space-between"><b>L</b><b>RIGHT</b></div>`;
  const a4 = { html: wide(1_100) };
  const cases: [name: string, body: Record<string, unknown> & { html: string }, isCut: boolean][] = [
    ['as wide as the page', { html: wide(600) }, false],
    ['shrunk', { html: wide(1_000) }, false],
    ['wider than 1.5 pages', a4, true],
    ['wide on its second page', { html: `<p style="break-after:page">one</p>${wide(1_100)}` }, true],
    ['wide after a blank page', { html: `<p style="break-after:page"></p>${wide(1_100)}` }, true],
    ['with a header that is wide', { html: '<p>x', header_html: '<div style="width:2000px">x</div>' }, false],
    ['wide, with a header', { ...a4, header_html: 'x', footer_html: '{{page}}' }, true],
    ['wide, with margin boxes', { html: `<style>@page{@top-left{content:"T"}}</style>${wide(1_100)}` }, true],
    ['wide, with a background', { html: `<body style="background:#eef">${wide(1_100)}` }, true],
    ['wide, without margins', { html: wide(1_300), margin_left: '0', margin_right: '0' }, true],
    ['narrow enough without margins', { html: wide(1_100), margin_left: '0', margin_right: '0' }, false],
    ['wide, scaled', { html: wide(700), scale: 2 }, true],
    ['narrow enough by its scale', { ...a4, scale: 0.8 }, false],
    ['wide, tagged', { ...a4, tagged: true, lang: 'en', title: 'x' }, true],
    ['wide, in landscape', { html: wide(1_800), orientation: 'landscape' }, true],
    [
      'long, of vertical writing',
      { html: `<html style="writing-mode:vertical-rl">x<div style="height:2000px">` },
      false,
    ],
    ['empty', { html: '<p> ' }, false],
    ['transformed', { html: '<div style="overflow:hidden;transform:scale(.5)">x</div>' }, false],
  ];
  for (const lane of ['static', 'warm'] as const)
    for (const [name, body, isCut] of sampleOf(lane, cases, ([, , isCut]) => String(isCut)))
      it(`is ${isCut ? 'there' : 'absent'} for a document that is ${name}, in the ${lane} lane`, async () => {
        const generated = await generate(engine, lane === 'warm' ? { ...body, wait_for: 0 } : body);
        assert.equal(generated.lane, lane);
        assert.deepEqual(generated.warnings, isCut ? CUT : []);
        const { pages } = await readPdf(new Uint8Array(generated.pdf));
        const text = pages.map((page) => page.text).join('');
        if (body.html.includes('RIGHT')) assert.equal(text.includes('RIGHT'), !isCut);
      });
});

describe('the warning about characters without a glyph', () => {
  const boxes = (names: string): string[] => [
    `No font has these characters, which are printed as boxes: ${names}.`,
  ];
  /** A font of one glyph, U+E000: the test does not depend on the fonts of the machine. */
  const ICON = `data:font/ttf;base64,${createIconFont().toString('base64')}`;
  const cases: [name: string, html: string, warnings: string[]][] = [
    ['has them', '<p>a \u{10fffd}\u0378b\u{10fffd}', boxes('U+0378, U+10FFFD')],
    ['has them as references', '<p>&#x10FFFC;&#888;', boxes('U+0378, U+10FFFC')],
    ['has none', '<p>Price: 5 \u20ac \u2013 \u201cÜber\u201d \u2026\u200d\ufe0f\u00ad\u2028', []],
    [
      'has them in a comment, the title, an attribute',
      '<title>\u0378</title><!--\u0378--><p title="\u0378">x',
      [],
    ],
    [
      'has them in a web font',
      `<style>@font-face{font-family:i;src:url(${ICON})} i{font-family:i}</style><i>\ue000</i>`,
      [],
    ],
    [
      'has them in an element without the web font',
      `<style>@font-face{font-family:i;src:url(${ICON})} i{font-family:i}</style><i>\ue000</i><b>\ue000</b>`,
      boxes('U+E000'),
    ],
    [
      'has many',
      `<p>${Array.from({ length: 12 }, (_, index) => String.fromCodePoint(0x10_ff_00 + index)).join('')}`,
      boxes('U+10FF00, U+10FF01, U+10FF02, U+10FF03, U+10FF04, U+10FF05, U+10FF06, U+10FF07 and 4 more'),
    ],
  ];
  for (const lane of ['static', 'warm'] as const)
    for (const [name, html, expected] of sampleOf(lane, cases, ([, , texts]) => String(texts.length)))
      it(`${expected.length > 0 ? 'names them' : 'is absent'} if a document ${name}, in the ${lane} lane`, async () => {
        const generated = await generate(engine, lane === 'warm' ? { html, wait_for: 0 } : { html });
        assert.equal(generated.lane, lane);
        assert.deepEqual(generated.warnings, expected);
      });

  it('names characters of text that scripts wrote, and not of text that is hidden', async () => {
    const write = (html: string): string => `<script>document.write('${html}')</script>`;
    assert.deepEqual(await listWarnings(write('<p>\\u0378')), boxes('U+0378'));
    assert.deepEqual(await listWarnings(write('<p hidden>\\u0378</p>x')), []);
  });
});
