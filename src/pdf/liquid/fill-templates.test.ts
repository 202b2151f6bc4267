import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { JobDeadline } from '../pdf-job.ts';
import { parsePdfRequest, type PdfRequest } from '../pdf-request.ts';
import { fillTemplates } from './fill-templates.ts';
import { TemplateThreads } from './template-threads.ts';

const LOOP = '{% for i in (1..100000) %}{% for j in (1..100000) %}{% endfor %}{% endfor %}';
/** Adding one to these numbers does not change them: Liquid never reaches the end, and looks at no limit. */
const ENDLESS = '{% for i in (9007199254740992..9007199254740995) %}x{% endfor %}';
/** One filter that takes a minute, in which Liquid does not look at the time. */
const LONG_STEP = '{{ list | where: path | size }}';
const LONG_DATA = { list: Array.from({ length: 9_000 }, () => ({ a: 1 })), path: `a${'.a'.repeat(100_000)}` };
const FILLS_MEMORY = Array.from({ length: 60 }, (_, i) => `{% assign a${i} = (1..1000000) %}`).join('');

const threads = new TemplateThreads();
after(() => threads.close());

function fill(html: string, changes: Partial<PdfRequest> = {}, signal?: AbortSignal): Promise<PdfRequest> {
  const template = { language: 'liquid', data: { s: '<x>' } } as const;
  const request = { ...parsePdfRequest({ html }), template, ...changes };
  const now = (): number => 0;
  const deadline = new JobDeadline(request, { timeoutMs: 60_000, smallDocumentMs: 60_000, now });
  return fillTemplates(request, { templateThreads: threads, now, deadline, signal, watch: undefined });
}

void describe('the templates of a request', () => {
  void it('are all its html, and no CSS', async () => {
    const { sheet, margins } = parsePdfRequest({ html: 'x' });
    const filled = await fill('0{{ s }}', {
      css: '{{ s }}',
      moreDocuments: [{ html: '1{{ s }}é', htmlBytes: 0, sheet, margins }],
      headerHtml: '2{{ s }}{{ page }}',
      firstHeaderHtml: '',
      firstFooterHtml: '3{{ s }}',
      watermark: { html: '4{{ s }}{{ pages }}', position: 'over' },
    });
    assert.deepEqual([filled.html, filled.htmlBytes], ['0&lt;x&gt;', 10]);
    assert.deepEqual(filled.moreDocuments, [{ html: '1&lt;x&gt;é', htmlBytes: 12, sheet, margins }]);
    assert.deepEqual([filled.headerHtml, filled.footerHtml], ['2&lt;x&gt;{{page}}', null]);
    assert.deepEqual([filled.firstHeaderHtml, filled.firstFooterHtml], ['', '3&lt;x&gt;']);
    assert.deepEqual(
      [filled.watermark, filled.css],
      [{ html: '4&lt;x&gt;{{pages}}', position: 'over' }, '{{ s }}'],
    );
  });

  void it('set the deadline by the length of what they print', async () => {
    const request = {
      ...parsePdfRequest({ html: `{% for i in (1..50) %}${'x'.repeat(5_000)}{% endfor %}` }),
      template: { language: 'liquid', data: {} },
    } as const;
    const now = (): number => 0;
    const deadline = new JobDeadline(request, { timeoutMs: 60_000, smallDocumentMs: 10_000, now });
    await fillTemplates(request, {
      templateThreads: threads,
      now,
      deadline,
      signal: undefined,
      watch: undefined,
    });
    assert.equal(deadline.limitMs, 11_000);
  });

  void it('have the time of the request', async () => {
    const now = Date.UTC(2026, 1, 3);
    const source = '{{ "now" | date: "%F" }}';
    assert.equal((await fill(source, { now })).html, '2026-02-03');
    assert.equal((await fill(source)).html, '1970-01-01');
  });

  void it('name the text at fault', async () => {
    await assert.rejects(fill('x', { footerHtml: '\n{% if %}' }), {
      code: 'invalid_parameter',
      param: 'footer_html',
      message: /^Line 2, column \d of footer_html: /,
    });
  });
});

void describe('a thread of templates', () => {
  void it('ends after 1 s of work or 64 MiB of memory, while other templates are filled', async () => {
    // All threads of this test run.
    await Promise.all([1, 2, 3, 4, 5].map(() => fill('x')));
    const start = performance.now();
    const ends: number[] = [];
    const time = (work: Promise<unknown>, index: number): Promise<void> =>
      work.then(() => void (ends[index] = performance.now() - start));
    await Promise.all([
      time(assert.rejects(fill(ENDLESS), { param: 'template', code: /^(?:timeout|render_failed)$/ }), 0),
      time(assert.rejects(fill(LOOP), { code: 'timeout' }), 1),
      time(assert.rejects(fill(FILLS_MEMORY), { code: /^(?:timeout|render_failed)$/ }), 2),
      time(fill('{{ s }}'), 3),
      assert.rejects(fill(LONG_STEP, { template: { language: 'liquid', data: LONG_DATA } }), {
        code: 'timeout',
        param: 'template',
      }),
    ]);
    assert.ok((ends[3] ?? Infinity) < (ends[1] ?? 0), 'the small template was done before the loop ended');
    assert.equal((await fill('{{ s }}')).html, '&lt;x&gt;');
  });

  void it('ends when the client disconnects', async () => {
    const own = new TemplateThreads();
    await own.run({ texts: [], data: {}, now: 0 }, new AbortController().signal);
    const aborter = new AbortController();
    const job = { texts: [{ kind: 'document', param: 'html', source: LOOP }], data: {}, now: 0 } as const;
    const filling = assert.rejects(own.run(job, aborter.signal), { message: 'gone' });
    assert.equal(own.threads, 1);
    aborter.abort(new Error('gone'));
    await filling;
    assert.equal(own.threads, 0);
  });

  void it('is used again, and ends when it has nothing to do', async () => {
    const own = new TemplateThreads({ idleMs: 1 });
    const job = { texts: [], data: {}, now: 0 };
    const { signal } = new AbortController();
    await own.run(job, signal);
    await own.run(job, signal);
    while (own.threads > 0) await new Promise((resolve) => setImmediate(resolve));
    await own.close();
    await assert.rejects(own.run(job, signal), { reason: 'closed' });
  });
});
