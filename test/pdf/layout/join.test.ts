/** Documents that are joined into one PDF: their pages, links, bookmarks and structure. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFDocument, type PDFRef } from '@cantoo/pdf-lib';
import type { PdfEngine } from '#pdf';
import { findFaults } from '../support/judge-pdf.ts';
import { generate } from '../support/open-engine.ts';
import { compose, load } from '../support/print-parts.ts';
import {
  paintPdf,
  countDifferentPixels,
  readFonts,
  readPdf,
  readStructure,
  type StructureNode,
} from '../support/read-pdf.ts';
import { shareEngine } from '../support/shared-engine.ts';

let engine: PdfEngine;

before(async () => {
  engine = await shareEngine();
});

/** Prints documents, each with its own members, and joins them. */
async function join(documents: Record<string, unknown>[], pages?: readonly number[]): Promise<Uint8Array> {
  const prints: Uint8Array[] = [];
  for (const document of documents) prints.push((await generate(engine, document)).pdf);
  const joined = await compose(prints, { pages: pages ?? null });
  assert.equal(findFaults(joined), '');
  return joined;
}

async function readTexts(pdf: Uint8Array): Promise<string[]> {
  return (await readPdf(pdf)).pages.map(({ text }) => text.replace(/\s+/g, ' '));
}

/** Returns the targets of the links of each page: the text at their destination, or a URL. */
async function readTargets(pdf: Uint8Array): Promise<string[][]> {
  const document = await load(pdf);
  const pages = document.getPages().map(({ ref }) => ref);
  const dests = document.catalog.lookupMaybe(PDFName.of('Dests'), PDFDict);
  return document.getPages().map(({ node }) =>
    (node.Annots()?.asArray() ?? []).map((item) => {
      const link = document.context.lookup(item, PDFDict);
      const name = link.get(PDFName.of('Dest'));
      if (!(name instanceof PDFName)) return 'url';
      return String(pages.indexOf(dests?.lookup(name, PDFArray).get(0) as PDFRef) + 1);
    }),
  );
}

const BREAK = '<p style="break-before:page">';

void describe('pages', () => {
  void it('keep their order, sheets, looks and fonts', async () => {
    const documents = [
      { html: `<p>one${BREAK}two`, page_size: 'A5' },
      {
        html: '<p style="font-family:Courier">three <img width=50 src="data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22/>">',
        orientation: 'landscape',
      },
      { html: '<b>four \u{1f600}</b>' },
    ];
    const joined = await join(documents);
    const { pages } = await readPdf(joined);
    assert.deepEqual(
      pages.map(({ text, width }) => [text.trim().split(' ')[0], width]),
      [
        ['one', 420],
        ['two', 420],
        ['three', 841.91998],
        ['four', 595.91998],
      ],
    );
    const alone: Uint8Array[] = [];
    for (const document of documents) alone.push((await generate(engine, document)).pdf);
    const pictures = (await Promise.all(alone.map((pdf) => paintPdf(pdf, 50)))).flat();
    assert.equal(countDifferentPixels(await paintPdf(joined, 50), pictures), 0);
    const fonts = new Set((await Promise.all(alone.map(readFonts))).flat());
    assert.deepEqual(new Set(await readFonts(joined)), fonts);
  });

  void it('of a single document stay as they are', async () => {
    const { pdf } = await generate(engine, { html: `<p>one${BREAK}two`, tagged: true });
    const joined = await compose([pdf]);
    assert.deepEqual(await readStructure(joined), await readStructure(pdf));
  });
});

void describe('links', () => {
  void it('of equal names lead into their own document', async () => {
    const html = `<a href="#x">x</a><a href="#ä%20(b)">b</a>${BREAK}<i id=x>x</i><i id="ä (b)">b</i>`;
    assert.deepEqual(await readTargets(await join([{ html }, { html }, { html }])), [
      ['2', '2'],
      [],
      ['4', '4'],
      [],
      ['6', '6'],
      [],
    ]);
  });

  void it('to another document lead there, and those to none are removed', async () => {
    // Without a box, an id makes the link a link, but no destination.
    const foreign = '<i id=there hidden></i><i id=nowhere hidden></i>';
    const first = `${foreign}<a href="#there">a</a><a href="#nowhere">b</a><a href="https://example.com/">c</a>`;
    const second = `<p>x${BREAK}<i id=there>y</i><a href="#there">z</a>`;
    for (const tagged of [false, true]) {
      const joined = await join([
        { html: first, tagged },
        { html: second, tagged },
      ]);
      assert.deepEqual(await readTargets(joined), [['3', 'url'], [], ['3']]);
      assert.deepEqual(await readTexts(joined), ['abc', 'x', 'yz']);
      if (tagged)
        assert.deepEqual(
          listLinks((await readStructure(joined))[0] ?? null),
          ['a', 'c'].map(() => 1),
        );
    }
  });
});

void it('bookmarks follow each other, with those below them', async () => {
  const html = (name: string): string => `<h1>${name}</h1><h2>${name}.1</h2>${BREAK}<h2>${name}.2</h2>`;
  const joined = await join(['A', 'B', 'C'].map((name) => ({ html: html(name), outline: true })));
  const { outline } = await readPdf(joined);
  assert.deepEqual(outline, ['A', '  A.1', '  A.2', 'B', '  B.1', '  B.2', 'C', '  C.1', '  C.2']);
  const document = await load(joined);
  const root = document.catalog.lookup(PDFName.of('Outlines'), PDFDict);
  assert.equal(root.lookup(PDFName.of('Count'), PDFNumber).asNumber(), 9);
});

const TABLE = '<table><tr><th>H<th>I<tr><td>1<td>2</table>';

void describe('the structure', () => {
  const html = (lang: string): string =>
    `<html lang=${lang}><title>${lang}</title><h1>${lang}</h1>${TABLE}${BREAK}<a href="https://example.com/">x</a>`;

  void it('is one document, with a part for each in its language', async () => {
    const joined = await join(['en', 'de'].map((lang) => ({ html: html(lang), tagged: true })));
    const trees = await readStructure(joined);
    const parts = trees.map((tree) => tree?.children?.map(describePart));
    assert.deepEqual(parts, [
      ['Document en: Part en'],
      ['Document en: Part en'],
      ['Document en: Part de'],
      ['Document en: Part de'],
    ]);
    const { language, title } = await readPdf(joined);
    assert.deepEqual([language, title], ['en', 'en']);
  });

  void it('leads from the content of each page to its own elements, and from cells to their headers', async () => {
    // As Chromium prints them: its identifiers of two documents may be the same.
    const more_documents = ['de', 'fr'].map((lang) => ({ html: html(lang) }));
    const { pdf: joined } = await generate(engine, { html: html('en'), more_documents, tagged: true });
    const ids = (await readStructure(joined)).flatMap((tree) => listIds(tree));
    assert.deepEqual(
      ids.map(({ headers }) => headers),
      ids.map(({ own }) => own),
    );
    assert.equal(new Set(ids.flatMap(({ own }) => own)).size, 6);
    const document = await load(joined);
    for (const { node, ref } of document.getPages())
      assert.deepEqual(listElementPages(document, node), [ref]);
  });

  void it('is that of the documents that have one', async () => {
    const prints = [
      { html: '<svg width=9 height=9></svg>', tagged: true },
      { html: html('de'), tagged: true },
    ];
    const trees = await readStructure(await join(prints));
    assert.equal(
      trees
        .at(-1)
        ?.children?.map(describePart)[0]
        ?.replace(/^Document \w+/, 'Document'),
      'Document: Part de',
    );
  });
});

void describe('selected pages', () => {
  const html = (name: string): string =>
    `<h1 id=top>${name}</h1><a href="#end">e</a>${TABLE}${BREAK}<h2 id=end>${name}.1</h2><a href="#top">t</a>`;
  const documents = ['A', 'B'].map((name) => ({ html: html(name), outline: true, tagged: true }));

  void it('take only their content, bookmarks, links and structure', async () => {
    const joined = await join(documents, [1, 2]);
    assert.deepEqual(await readTexts(joined), ['A.1 t', 'B e H I 1 2']);
    const { outline } = await readPdf(joined);
    assert.deepEqual(outline, ['A.1', 'B']);
    assert.deepEqual(await readTargets(joined), [[], []]);
    const trees = await readStructure(joined);
    assert.deepEqual(
      trees.map(listRoles).map((roles) => roles.filter((role) => /^(H\d|Table|Link)$/.test(role))),
      [['H2'], ['H1', 'Table']],
    );
  });

  void it('leave nothing of the others in the file, also of an element that is on several', async () => {
    const long = { html: `<p id=p>${'word '.repeat(4_000)}`, tagged: true };
    for (const prints of [documents, [long, long]]) {
      const document = await load(await join(prints, [1]));
      const objects = document.context.enumerateIndirectObjects().map(([, object]) => object);
      const dicts = objects.filter((object) => object instanceof PDFDict);
      assert.equal(dicts.filter((dict) => String(dict.get(PDFName.of('Type'))) === '/Page').length, 1);
      const pages = dicts.map((dict) => dict.get(PDFName.of('Pg'))).filter((page) => page !== undefined);
      const [page] = document.getPages();
      assert.ok(pages.every((one) => one === page?.ref));
      const [tree = null] = await readStructure(await document.save());
      assert.ok(listTypes(tree).includes('content'));
    }
  });
});

void it('documents of different renderers and lanes are joined', async () => {
  const html = `<h1>x</h1>${TABLE}`;
  const joined = await join([
    { html, tagged: true },
    { html: `${html}<script>1</script>`, tagged: true },
  ]);
  assert.equal((await readPdf(joined)).pages.length, 2);
});

function describePart(document: StructureNode): string {
  const parts = document.children?.map((part) => `${part.role} ${part.lang}`);
  return `${document.role} ${document.lang}: ${parts?.join(' ')}`;
}

function listRoles(node: StructureNode | null): string[] {
  return node === null ? [] : [node.role ?? '', ...(node.children ?? []).flatMap(listRoles)];
}

function listTypes(node: StructureNode | null): string[] {
  return node === null ? [] : [node.type ?? '', ...(node.children ?? []).flatMap(listTypes)];
}

/** Returns the number of annotations of each element of the type Link. */
function listLinks(node: StructureNode | null): number[] {
  if (node === null) return [];
  const own =
    node.role === 'Link' ? [(node.children ?? []).filter(({ type }) => type === 'annotation').length] : [];
  return [...own, ...(node.children ?? []).flatMap(listLinks)];
}

/** Returns the identifiers of the headers of a page, and those that its cells name. */
function listIds(node: StructureNode | null): { own: string[]; headers: string[] }[] {
  const nodes = (one: StructureNode): StructureNode[] => [one, ...(one.children ?? []).flatMap(nodes)];
  const all = node === null ? [] : nodes(node);
  const own = all.flatMap(({ role, structId }) =>
    role === 'TH' && structId !== undefined ? [structId] : [],
  );
  return own.length === 0
    ? []
    : [{ own, headers: all.flatMap(({ role, headers }) => (role === 'TD' ? (headers ?? []) : [])) }];
}

/** Returns the pages of the elements that the content of a page belongs to. */
function listElementPages({ catalog, context }: PDFDocument, page: PDFDict): unknown[] {
  const tree = catalog
    .lookup(PDFName.of('StructTreeRoot'), PDFDict)
    .lookup(PDFName.of('ParentTree'), PDFDict);
  const nums = tree.lookup(PDFName.of('Nums'), PDFArray).asArray();
  const key = page.lookup(PDFName.of('StructParents'), PDFNumber).asNumber();
  const at = nums.findIndex((item, index) => index % 2 === 0 && (item as PDFNumber).asNumber() === key);
  const elements = context.lookup(nums[at + 1], PDFArray).asArray();
  return [...new Set(elements.map((element) => context.lookup(element, PDFDict).get(PDFName.of('Pg'))))];
}
