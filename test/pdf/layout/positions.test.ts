/** The positions of elements, as the destinations of a PDF say, compared with the places of their texts. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { PdfEngine } from '#pdf';
import { PageMap } from '../../../src/pdf/contents/page-map.ts';
import { PrintedPages } from '../../../src/pdf/pdf-file/printed-pages.ts';
import { generate } from '../support/open-engine.ts';
import { readPdf } from '../support/read-pdf.ts';
import { shareEngine } from '../support/shared-engine.ts';

let engine: PdfEngine;

before(async () => {
  engine = await shareEngine();
});

const NAMES = ['alpha', 'beta', 'gamma'];
/** The distance between the top of a line and its baseline, in pixels. */
const ASCENT = 17;
const STYLE =
  '<style>body{margin:0}div{height:3px;position:relative}p{margin:0;font:20px/20px Arial;position:absolute;left:100px;top:200px}</style>';
const LINKS = NAMES.map((name) => `<a href="#${name}">l</a>`).join('');
const target = (name: string, style = ''): string =>
  `<div style="break-before:page;${style}"><p id="${name}">${name}</div>`;
const HTML = STYLE + LINKS + NAMES.map((name) => target(name)).join('');

/** Each way to print the targets, with the scale of the document. */
const ROWS: Record<string, [members: Record<string, unknown>, scale: number]> = {
  'as usual': [{ html: HTML }, 1],
  'on landscape sheets': [{ html: HTML, page_size: 'A5', orientation: 'landscape' }, 1],
  'with margins': [{ html: HTML, margin_top: '33mm', margin_left: '0' }, 1],
  'with a scale': [{ html: HTML, scale: 0.5 }, 0.5],
  'in a document that is shrunk': [{ html: `${HTML}<hr style="width:900px">`, margin_right: '15mm' }, 0],
  'on sheets of @page rules': [
    {
      html: `<style>@page wide{size:A4 landscape;margin:7mm 22mm}</style>${STYLE}${LINKS}${target('alpha')}${target('beta', 'page:wide')}${target('gamma')}`,
    },
    1,
  ],
  'beside a header, backgrounds and margin boxes': [
    {
      html: `<style>@page{@top-left{content:"m"}}html{background:#eee}</style>${HTML}`,
      header_html: 'H {{page}}',
    },
    1,
  ],
  'in selected pages': [{ html: HTML, page_ranges: '2,4' }, 1],
  'by a document with scripts': [{ html: `${HTML}<script>0</script>` }, 1],
};

void describe('the position of a target', () => {
  for (const [name, [members, scale]] of Object.entries(ROWS))
    void it(`is where it is printed, ${name}`, async () => {
      const { pdf } = await generate(engine, members);
      const printed = new PrintedPages(Buffer.from(pdf));
      const { pages } = await readPdf(pdf);
      assert.deepEqual(
        printed.sizes.map(({ width, height }) => [Math.round(width * 0.75), Math.round(height * 0.75)]),
        pages.map(({ width, height }) => [Math.round(width), Math.round(height)]),
      );
      let found = 0;
      for (const [page, { runs, height }] of pages.entries())
        for (const { text, x, y, height: size } of runs.filter((run) => NAMES.includes(run.text))) {
          const position = printed.locate(text);
          assert.equal(position?.page, page, text);
          // The font of 20 px shows the scale.
          const shown = size / 0.75 / 20;
          if (scale !== 0) assert.ok(Math.abs(shown - scale) < 0.01, `${shown}`);
          const offset = [x / 0.75 - position.x, (height - y) / 0.75 - position.y - ASCENT * shown];
          for (const one of offset) assert.ok(Math.abs(one) < 0.6, `${text}: ${offset.join()}`);
          found += 1;
        }
      assert.equal(found, name === 'in selected pages' ? 2 : 3);
    });

  void it('is not known on a turned page, whose number is', async () => {
    const html = `<style>@page{page-orientation:rotate-left}</style>${HTML}`;
    const printed = new PrintedPages(Buffer.from((await generate(engine, { html })).pdf));
    assert.deepEqual([printed.targets.get('beta'), printed.locate('beta')], [2, null]);
    assert.equal(printed.locate('none'), null);
  });

  void it('counts the pages of all documents', async () => {
    const pages = new PageMap(2);
    for (const [index, name] of ['alpha', 'beta'].entries()) {
      const html = `${STYLE}${LINKS}${target(name)}`;
      pages.set(index, new PrintedPages(Buffer.from((await generate(engine, { html })).pdf)));
    }
    const [first, second] = [pages.locate('alpha', 1), pages.locate('beta', 0)];
    assert.deepEqual([first?.page, second?.page], [2, 4]);
    assert.deepEqual([first?.x, first?.y], [second?.x, second?.y]);
    assert.equal(pages.find('beta', 0), 4);
  });
});
