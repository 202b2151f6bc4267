/** The examples of docs/reference/pdf.md for CSS margin boxes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import type { PdfEngine } from '#pdf';
import { generate } from '../support/open-engine.ts';
import { shareEngine } from '../support/shared-engine.ts';
import { paintPdf, readPdf, type ReadPage } from '../support/read-pdf.ts';

const MM = 72 / 25.4;
const DOCS = readFileSync(new URL('../../../docs/reference/pdf.md', import.meta.url), 'utf8');
const SECTION = /## Margin boxes\n([^]*?)\n##/.exec(DOCS)?.[1] ?? '';
/** The examples by the lines before them. */
const EXAMPLES = new Map(
  [...SECTION.matchAll(/^(.+):\n```css\n([^]*?)```/gm)].map(([, name = '', css = '']) => [name, css]),
);

const THREE_PAGES =
  '<p>one<p style="break-before:page">two<p class="appendix" style="break-before:page">three';

let engine: PdfEngine;

before(async () => {
  engine = await shareEngine();
});

async function render(name: string, lane: object): Promise<Uint8Array> {
  const css = EXAMPLES.get(name);
  assert.ok(css, `docs/reference/pdf.md has no example ${name}`);
  return (await generate(engine, { html: THREE_PAGES, css, ...lane })).pdf;
}

/** Returns the texts of each page without those of the document. */
async function readMargins(name: string, lane: object): Promise<{ texts: string[]; pages: ReadPage[] }> {
  const { pages } = await readPdf(await render(name, lane));
  const texts = pages.map(({ text }) =>
    text
      .replace(/one|two|three/, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return { texts, pages };
}

const tested = new Set<string>();

for (const [lane, members] of Object.entries({ 'used again': {}, 'of its own': { wait_for: 0 } })) {
  void describe(`in a page ${lane}, the example`, () => {
    const example = (name: string, check: (name: string) => Promise<void>): void => {
      tested.add(name);
      void it(name, () => check(name));
    };

    example('Page numbers, and no header on the first page', async (name) => {
      const { texts, pages } = await readMargins(name, members);
      assert.deepEqual(
        texts.map((text) => text.includes('Annual report')),
        [false, true, true],
      );
      for (const [index, text] of texts.entries()) assert.match(text, new RegExp(`Page ${index + 1} of 3`));
      const header = pages[1]?.runs.find(({ text }) => text.includes('Annual'));
      assert.ok((header?.y ?? 0) > (pages[1]?.height ?? 0) - 20 * MM, 'in the top margin');
    });

    example('Other margins and boxes for pages with a name', async (name) => {
      const { texts, pages } = await readMargins(name, members);
      assert.deepEqual(texts, ['', '', 'Appendix']);
      const three = pages[2]?.runs.find(({ text }) => text === 'three');
      assert.ok(Math.abs((three?.x ?? 0) - 40 * MM) < 7, `${three?.x}`);
    });

    example('Left and right pages of a book', async (name) => {
      const { texts, pages } = await readMargins(name, members);
      assert.deepEqual(texts, ['1', '2', '3']);
      const places = pages.map(({ runs, width }, index) => {
        const number = runs.find(({ text }) => text === String(index + 1));
        return (number?.x ?? 0) > width / 2 ? 'right' : 'left';
      });
      assert.deepEqual(places, ['right', 'left', 'right']);
    });

    example('An image, as tall as it is', async (name) => {
      const pictures = await paintPdf(await render(name, members), 72);
      for (const { data, width } of pictures) {
        let top = Infinity;
        let bottom = 0;
        for (let at = 0; at < data.length; at += 4) {
          if ((data[at] ?? 0) < 200 || (data[at + 1] ?? 255) > 60) continue;
          const y = Math.floor(at / 4 / width);
          top = Math.min(top, y);
          bottom = Math.max(bottom, y + 1);
        }
        assert.ok(bottom < 20 * MM && Math.abs(bottom - top - 15) <= 2, `${top} to ${bottom}`);
      }
    });
  });
}

it('each example of the docs is tested', () => {
  assert.deepEqual([...EXAMPLES.keys()].toSorted(), [...tested].toSorted());
  assert.ok(EXAMPLES.size > 0);
});
