/** The members that set the metadata of the PDF: title, lang and now. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { PdfEngine } from '#pdf';
import { generate } from './support/open-engine.ts';
import { shareEngine } from './support/shared-engine.ts';
import { readDates, readPdf, type ReadPdf } from './support/read-pdf.ts';

let engine: PdfEngine;

before(async () => {
  engine = await shareEngine();
});

async function render(members: Record<string, unknown>): Promise<ReadPdf> {
  return readPdf((await generate(engine, members)).pdf);
}

const TITLE = 'Übersicht „A“ (1) \\ 漢字 😀';
/** An untagged PDF, a tagged one, and a tagged one without any structure. */
const FORMS: Record<string, { html: string; tagged?: boolean }> = {
  untagged: { html: '<p>x' },
  tagged: { html: '<p>x', tagged: true },
  'tagged without structure': { html: '<iframe srcdoc="<h1>framed</h1>"></iframe>', tagged: true },
};

for (const [form, members] of Object.entries(FORMS)) {
  void describe(`a PDF that is ${form}`, () => {
    void it('has the title and the language of the request', async () => {
      const read = await render({ ...members, title: TITLE, lang: 'pt-br' });
      assert.deepEqual([read.title, read.language], [TITLE, 'pt-BR']);
    });

    void it('has them in place of those of the document', async () => {
      const html = `<!doctype html><html lang=da><title>Old (title) endobj</title>${members.html}`;
      const read = await render({ ...members, html, title: TITLE, lang: 'de' });
      assert.deepEqual([read.title, read.language], [TITLE, 'de']);
    });

    void it('keeps the title of the document if the request has only a language', async () => {
      const html = `<title>Own</title>${members.html}`;
      const read = await render({ ...members, html, lang: 'de' });
      assert.deepEqual([read.title, read.language], ['Own', 'de']);
    });

    void it('has its title in the window of the viewer', async () => {
      const { viewerPreferences } = await render({ ...members, title: TITLE });
      assert.deepEqual(viewerPreferences, { DisplayDocTitle: true });
    });
  });
}

void describe('the document', () => {
  const print = (html: string): string =>
    `${html}<p><script>document.write(document.documentElement.lang, '|', document.title)</script>`;
  const members = { lang: 'pt-BR', title: 'A < B & "C"' };

  void it('has the title and the language of the request if it has none', async () => {
    for (const html of ['', '<p>y', '<!doctype html><html class=a><head></head><body>', '<html><body>']) {
      const read = await render({ ...members, html: print(html) });
      assert.match(read.pages[0]?.text ?? '', /pt-BR\|A < B & "C"/, html);
      assert.deepEqual([read.title, read.language], [members.title, 'pt-BR'], html);
    }
  });

  void it('keeps its own', async () => {
    const read = await render({ ...members, html: print('<html lang=da><title>Own</title>') });
    assert.match(read.pages[0]?.text ?? '', /da\|Own/);
  });
});

void describe('a tagged PDF', () => {
  void it('declares the title and the language of the request in its XMP', async () => {
    const { xmp } = await render({ html: '<p>x', tagged: true, title: 'A & B', lang: 'de' });
    assert.match(xmp ?? '', /<rdf:li xml:lang="x-default">A &amp; B</);
    assert.match(xmp ?? '', /<dc:language><rdf:Bag><rdf:li>de</);
  });
});

void describe('now', () => {
  void it('is the date of a PDF with any title', async () => {
    const now = '2031-02-03T04:05:06Z';
    const date = 'D:20310203040506';
    for (const title of ['endobj', 'a endobj b', '/ModDate (D:20260101000000)']) {
      const html = `<title>${title}</title><p>x`;
      const dates = await readDates((await generate(engine, { html, now, title: TITLE })).pdf);
      for (const found of dates) assert.ok(found.startsWith(date), `${title}: ${found}`);
    }
  });
});
