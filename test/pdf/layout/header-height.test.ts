import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { PdfEngine } from '#pdf';
import { generate } from '../support/open-engine.ts';
import { readPdf } from '../support/read-pdf.ts';
import { shareEngine } from '../support/shared-engine.ts';

let engine: PdfEngine;

before(async () => {
  engine = await shareEngine();
});

async function warn(members: Record<string, unknown>): Promise<readonly string[]> {
  return (await generate(engine, { html: '<p>body', ...members })).warnings;
}

const TALL = '<div style="height:30mm">Head</div>';

for (const [lane, members] of Object.entries({ 'used again': {}, 'of its own': { wait_for: 0 } })) {
  void describe(`in a page ${lane}, a header or footer`, () => {
    void it('that is taller than its margin is reported with the margin that it needs', async () => {
      assert.deepEqual(await warn({ ...members, header_html: TALL }), [
        'The header is taller than its margin and covers the document: send a margin_top of at least 35.3mm.',
      ]);
      assert.deepEqual(await warn({ ...members, footer_html: TALL, margin_bottom: '25mm' }), [
        'The footer is taller than its margin and covers the document: send a margin_bottom of at least 35.3mm.',
      ]);
    });

    void it('is not reported if its margin has that height', async () => {
      const tall = { header_html: TALL, footer_html: TALL, margin_top: '35.3mm', margin_bottom: '35.3mm' };
      assert.deepEqual(await warn({ ...members, ...tall }), []);
      assert.deepEqual(await warn({ ...members, header_html: '{{page}} of {{pages}}' }), []);
    });

    void it('needs more lines on a narrow sheet', async () => {
      const words = { ...members, header_html: 'word '.repeat(60) };
      assert.deepEqual(await warn({ ...words, page_width: '400mm', page_height: '400mm' }), []);
      const [warning] = await warn({ ...words, page_width: '60mm', page_height: '400mm' });
      assert.match(warning ?? '', /margin_top of at least [5-9]\d/);
    });

    void it('is not reported if an @page rule of the document may have set its margin', async () => {
      const html = '<style>@page{margin:50mm}</style><p>x';
      assert.deepEqual(await warn({ ...members, html, header_html: TALL }), []);
    });

    void it('that cannot be measured is printed without a warning', async () => {
      for (const header of ['<div><table></div>', '<img name=body>', '<form name=body></form>'])
        assert.deepEqual(await warn({ ...members, header_html: header }), [], header);
      const small = '<p name=body style="margin:0">x</p><div id=footer>';
      const both = { header_html: small, footer_html: TALL };
      assert.equal((await warn({ ...members, ...both })).length, 1);
    });

    void it('runs no script when it is measured, and leaves the next document as it is', async () => {
      const header = `${TALL}<script>document.title='ran'</script><img src=x onerror="document.title='ran'">`;
      assert.equal((await warn({ ...members, header_html: header })).length, 2);
      const next = await generate(engine, { html: '<p>next', ...members });
      const { pages, title } = await readPdf(next.pdf);
      assert.deepEqual([pages.map(({ text }) => text), title, next.warnings], [['next'], '', []]);
    });
  });
}

void it('with strict, a header that is taller than its margin is refused', async () => {
  await assert.rejects(warn({ header_html: TALL, strict: true }), {
    code: 'render_failed',
    message: /margin_top/,
  });
});
