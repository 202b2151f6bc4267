import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { PdfEngine } from '#pdf';
import { isFullRun, sample } from '../../support/sample.ts';
import { FEATURES } from '../documents/features.ts';
import { REALISTIC } from '../documents/realistic.ts';
import { generate } from '../support/open-engine.ts';
import { countDifferentPixels, paintPdf } from '../support/read-pdf.ts';
import { shareEngine } from '../support/shared-engine.ts';

const DPI = 100;
let engine: PdfEngine;

before(async () => {
  engine = await shareEngine();
});

/** A PDF without what differs from one second to the next: its dates. */
function withoutDates(pdf: Uint8Array): Buffer {
  return Buffer.from(
    Buffer.from(pdf)
      .toString('latin1')
      .replace(/\/(?:Creation|Mod)Date \(D:[^)]*\)/g, ''),
    'latin1',
  );
}

/** A quarter of the realistic documents and one feature in eight, unless TEST_FULL=1. */
const DOCUMENTS = [...sample(Object.entries(FEATURES), 8), ...sample(Object.entries(REALISTIC), 4)];

void describe('the static lane', () => {
  const lanes: string[] = [];

  for (const [name, html] of DOCUMENTS) {
    void it(`prints the same as the warm lane: ${name}`, async () => {
      const body = { html, footer_html: '{{page}}/{{pages}}', css: 'p{color:#123}' };
      const chosen = await generate(engine, body);
      lanes.push(chosen.lane);
      if (chosen.lane === 'warm') return;
      const fresh = await generate(engine, { ...body, wait_for: 0 });
      assert.equal(fresh.lane, 'warm');
      if (withoutDates(chosen.pdf).equals(withoutDates(fresh.pdf))) return;
      const [one, other] = [await paintPdf(chosen.pdf, DPI), await paintPdf(fresh.pdf, DPI)];
      assert.equal(countDifferentPixels(one, other), 0);
    });
  }

  void it('takes most documents without script, and none with one', async () => {
    const count = lanes.filter((lane) => lane === 'static').length;
    assert.ok(count >= 0.9 * lanes.length, `${count} of ${lanes.length}`);
    const dynamic = [
      '<script>1</script>',
      '<style>p{background:u\\72l(a.png)}</style>',
      '<meta http-equiv=Content-Security-Policy content="default-src *">',
      '<canvas>',
      '<iframe srcdoc="x">',
      '<SCRIPT>1</SCRIPT>',
      '<input type=image>',
      '<img srcset="a.png 100w" sizes=auto>',
      '<svg><rect><animate attributeName=x to=9 dur=1s /></rect></svg>',
      '<svg><rect><animateTransform attributeName=transform type=rotate to=9 dur=1s /></rect></svg>',
      '<svg><rect><set attributeName=x to=9 /></rect></svg>',
      '<progress>',
    ];
    // A third of each kind unless TEST_FULL=1.
    const classify = (html: string): string => /script|animate/i.exec(html)?.[0].toLowerCase() ?? '';
    for (const html of sample(dynamic, 3, classify))
      assert.equal((await generate(engine, { html })).lane, 'warm', html);
    const css = 'p{background:image-set("a.png" 1x)}';
    assert.equal((await generate(engine, { html: 'x', css })).lane, 'warm', 'css counts too');
  });
});

/** Documents that could affect the next one in the same page: one in eight unless TEST_FULL=1. */
const NASTY: Record<string, string> = {
  title: '<title>SECRET</title>x',
  language: '<html lang=ar dir=rtl>x',
  'quirks mode': '<table><td>x',
  'font face': '<style>@font-face{font-family:Arial;src:url(data:font/woff2;base64,AAAA)}</style>x',
  'font of the machine': '<style>@font-face{font-family:Arial;src:local(Caladea)}</style>x',
  'custom property':
    '<style>@property --c{syntax:"<color>";inherits:true;initial-value:red}:root{color:var(--c)}</style>x',
  'page rule': '<style>@page{size:A6 landscape;margin:0;@top-left{content:"SECRET"}}</style>x',
  'root style': '<html style="zoom:3;background:red;writing-mode:vertical-rl">x',
  'unclosed tags': '<b><i><table><tr><td><ul><li>'.repeat(50),
  'unclosed comment': '<p>x<!-- ',
  'unclosed style': '<style>*{color:red',
  'unclosed title': '<title>x',
  textarea: '<textarea>',
  plaintext: '<plaintext>',
  select: '<select><option>x',
  'counter and quotes': '<style>html{counter-reset:n 9;quotes:"a" "b"}</style>x',
  layers: '<style>@layer z{*{color:red!important}}</style>x',
  'view transition': '<style>@view-transition{navigation:auto}*{view-transition-name:x}</style>x',
  scroll: '<html style="overflow:scroll"><div style="height:9000px" id=x>x<a href="#x">x',
  form: '<form><input value=SECRET name=a><input type=password value=SECRET>',
  'many pages': '<p style="break-after:page">x'.repeat(40),
  'huge sheet': '<style>@page{size:100in 100in}</style>x',
  theme:
    '<meta name=theme-color content=red><meta name=viewport content="width=100"><meta name=referrer content=never>x',
  'character set':
    '<meta charset=utf-16><meta http-equiv=content-type content="text/html;charset=iso-2022-jp">x',
  animation: '<style>@keyframes k{to{color:red}}*{animation:k 9s infinite}</style>x',
  'svg fragment': '<svg><style>*{fill:red!important}</style><g id=a /></svg><svg><use href="#a"/></svg>',
  emoji: '<p>😀 漢字 हिन्दी',
  'nul and surrogates': 'a\u0000b\uD800c',
  body: '<body bgcolor=black style="display:none">x',
  'link colors': '<body link=red text=red vlink=red alink=red>x',
};

const PLAIN = [
  '<p>plain',
  '<!doctype html><title>B</title><h1>Heading</h1><p style="color:var(--c,blue)">text <a href="#x">x</a>',
];

/** The plain documents after the nasty one at this position: one of them unless TEST_FULL=1. */
const getPlain = (position: number): [number, string][] =>
  [...PLAIN.entries()].filter(([index]) => isFullRun || index === position % PLAIN.length);

/** The second documents, each rendered in an unused page. */
const alones: (ReturnType<typeof generate> | undefined)[] = [];

void describe('a document in a page that was used before', () => {
  for (const [position, [name, first]] of sample(Object.entries(NASTY), 8).entries()) {
    for (const [index, second] of getPlain(position)) {
      void it(`has the same bytes as alone: ${name}, then document ${index + 1}`, async () => {
        const alone = await (alones[index] ??= generate(engine, { html: second }, `alone ${index}`));
        const keyId = `pair ${name} ${index}`;
        const isGated =
          (await generate(engine, { html: first, css: 'p{color:red}', header_html: 'SECRET' }, keyId))
            .lane === 'warm';
        const after = await generate(engine, { html: second }, keyId);
        if (isGated) return;
        assert.equal(after.lane, 'static');
        assert.ok(withoutDates(after.pdf).equals(withoutDates(alone.pdf)));
      });
    }
  }
});
