/** Page numbers of links over several documents: how often each is loaded and printed. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { parsePdfRequest, type OpenResourceFetcher, type PdfEngine } from '#pdf';
import { openEngine, type LogLine } from './support/open-engine.ts';
import { readPdf } from './support/read-pdf.ts';

let engine: PdfEngine;
const lines: LogLine[] = [];
const fetched: string[] = [];
/** Called for each resource, by its name. */
let onFetch: (name: string) => void = () => {};

before(async () => {
  const openResourceFetcher: OpenResourceFetcher =
    () =>
    ({ url }, aborted) => {
      const name = new URL(url).pathname.slice(1);
      fetched.push(name);
      onFetch(name);
      if (aborted?.aborted) return Promise.resolve({ failure: 'was canceled' });
      return Promise.resolve({ url, status: 200, headers: [], body: Buffer.from('') });
    };
  engine = await openEngine({ openResourceFetcher }, lines);
});
beforeEach(() => {
  fetched.length = 0;
  onFetch = () => {};
});
after(() => engine.close());

interface Rendered {
  /** The texts of the pages. */
  pages: string[];
  warnings: string[];
  /** The prints of all documents together. */
  prints: number;
}

async function render(documents: readonly string[], signal?: AbortSignal): Promise<Rendered> {
  const [html, ...more] = documents;
  const body = { html, more_documents: more.map((one) => ({ html: one })) };
  let prints = 0;
  const watch = {
    startPhase: (phase: string) => {
      if (phase === 'print') prints += 1;
      return () => {};
    },
    onDeadline: () => {},
  };
  const caller = { keyId: 'test', accountId: 'test', slots: null };
  const { pdf, warnings } = await engine.generatePdf(parsePdfRequest(body), caller, signal, watch);
  const { pages } = await readPdf(pdf);
  return { pages: pages.map(({ text }) => text.replaceAll('\n', '|')), warnings, prints };
}

const UNSTABLE =
  'The page numbers of links change the pages that they name: some of them are wrong. Give them a fixed width.';
const link = (name: string): string => `<a class=page-number href="#${name}">x </a>`;
const target = (name: string): string => `<p id="${name}">y`;
/** A script that requests a resource when its document is loaded, and shows the prints since then. */
const count = (name: string): string =>
  `<p id=count-${name}></p><script>
    let prints = 0;
    addEventListener('beforeprint', () => { document.getElementById('count-${name}').textContent = 'prints ' + (prints += 1); });
    fetch('http://a.example/${name}').catch(() => {});
  </script>`;
/** Makes the box of a link taller than a page if its number is one of these. */
const growAt = (...numbers: number[]): string =>
  `<style>${numbers.map((number) => `a[style*='"${number}"']`).join()}{display:block;height:300mm}</style>`;

void describe('the numbers of several documents', () => {
  void it('are right after one print of each, and one more of those that have numbers', async () => {
    const { pages, warnings, prints } = await render([`${link('b')}${link('c')}`, target('b'), target('c')]);
    assert.deepEqual([pages, warnings, prints], [['x 2x 3', 'y', 'y'], [], 4]);
  });

  void it('are right after three prints if they change the breaks of pages', async () => {
    const html = `${growAt(2, 3)}${link('z')}<p>more`;
    for (const [script, ends] of [
      ['', ''],
      [count('a'), '|prints 2'],
    ] as const) {
      const { pages, warnings, prints } = await render([html + script, target('z')]);
      assert.deepEqual([pages, warnings, prints], [['x 3', `more${ends}`, 'y'], [], 4]);
    }
  });

  void it('need no more than three prints of a document if they are never right, and are a warning', async () => {
    const first = `${growAt(2)}${link('z')}${target('a')}`;
    const second = `${growAt(2)}${link('a')}${target('z')}`;
    const alone = await render([first, second]);
    assert.ok(alone.prints <= 6, `${alone.prints}`);
    assert.deepEqual(alone.warnings, [UNSTABLE]);
    const counted = await render([first + count('a'), second + count('b')]);
    assert.deepEqual([counted.prints, counted.warnings], [alone.prints, [UNSTABLE]]);
    const flips = `${growAt(2)}${link('z')}<p>more`;
    const { warnings, prints } = await render([flips + count('a'), target('z')]);
    assert.deepEqual([warnings, prints], [[UNSTABLE], 4]);
  });

  void it('load only those documents again whose numbers have changed, and print the same', async () => {
    const { pages, warnings } = await render([
      `${link('b')}${target('a')}${count('one')}<script src=http://a.example/lib.js></script>`,
      `${link('a')}${target('b')}${count('two')}`,
      `${link('a')}${target('c')}`,
    ]);
    assert.deepEqual(
      pages.map((page) => page.replaceAll('|', ' ')),
      ['x 2 y prints 1', 'x 1 y prints 1', 'x 1 y'],
    );
    assert.deepEqual(fetched.toSorted(), ['lib.js', 'lib.js', 'one', 'one', 'two']);
    assert.deepEqual(warnings, []);
  });
});

void describe('documents whose numbers depend on later ones', () => {
  /** Refers to a document after it. */
  const dependent = `${link('z')}${count('first')}`;

  void it('end with the document that fails', async () => {
    await assert.rejects(render([dependent, '<script>window.close()</script>']), {
      code: 'render_failed',
      message: /^Document 2: The document closed itself/,
    });
    assert.equal(engine.status().busy, 0);
    assert.deepEqual((await render(['next', 'one'])).pages, ['next', 'one']);
  });

  void it('end when the client disconnects', async () => {
    const client = new AbortController();
    onFetch = (name) => {
      if (name === 'second') client.abort(new Error('disconnected'));
    };
    await assert.rejects(render([dependent, `${count('second')}<script>for(;;);</script>`], client.signal), {
      message: 'disconnected',
    });
    assert.equal(engine.status().busy, 0);
  });

  void it('are rendered again if the browser ends meanwhile', async () => {
    const line = lines.findLast(({ message }) => message === 'the browser is ready');
    const { browserPid = 0 } = (line?.fields ?? {}) as { browserPid?: number };
    onFetch = (name) => {
      if (name === 'second' && fetched.filter((one) => one === name).length === 1)
        process.kill(browserPid, 'SIGKILL');
    };
    const { pages, warnings } = await render([dependent, count('second') + target('z')]);
    assert.match(pages[0] ?? '', /^x 2/);
    assert.deepEqual([pages.length, warnings], [2, []]);
  });
});

void describe('hostile documents', () => {
  void it('of which each has contents of its own are printed twice', async () => {
    const documents = Array.from({ length: 20 }, (_, index) => `${link(`t${index}`)}${target(`t${index}`)}`);
    const { pages, warnings, prints } = await render(documents);
    assert.deepEqual(
      pages,
      documents.map((_, index) => `x ${index + 1}|y`),
    );
    assert.deepEqual([warnings, prints], [[], 40]);
  });

  void it('of which each refers to all others are printed at most three times', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `t${index}`);
    const all = names.map(link).join('');
    const { pages, warnings, prints } = await render(names.map((name) => all + target(name)));
    const numbers = names.map((_, index) => `x ${index + 1}`).join('');
    assert.deepEqual(
      pages,
      names.map(() => `${numbers}|y`),
    );
    assert.deepEqual(warnings, []);
    assert.ok(prints <= 60, `${prints}`);
  });

  void it('with names of several documents, and of none, show the own or the first one', async () => {
    const { pages, warnings } = await render([
      `${link('none')}${link('b')}`,
      `${link('a')}${target('b')}${target('b')}`,
      `${link('b')}${target('a')}<div style="break-before:page">${target('b')}`,
      `${link('b')}${link('none')}`,
    ]);
    assert.deepEqual(pages, ['x x 2', 'x 3|y|y', 'x 4|y', 'y', 'x 2x']);
    assert.deepEqual(warnings, [
      'A link shows no page number, as its target is on no page: #none.',
      'Document 4: A link shows no page number, as its target is on no page: #none.',
    ]);
  });

  void it('whose pages grow with each digit end', async () => {
    const grow = `<style>a.page-number{display:block;height:300mm}a[style*='"00"']{height:1px}</style>`;
    const first = grow + link('z').repeat(12);
    const { pages, warnings } = await render([first, first, target('z')]);
    const shown = pages.slice(0, -1).flatMap((page) => [...page.matchAll(/\d+/g)].map(([number]) => number));
    assert.ok(warnings.length > 0 || shown.every((number) => number === String(pages.length)), shown.join());
  });
});
