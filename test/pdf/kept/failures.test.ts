/** Documents that fail, and the next one of their key: nothing of them may be left in its renderer. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parsePdfRequest } from '#pdf';
import { isFullRun, sample } from '../../support/sample.ts';
import { measureSlowness } from '../support/measure-slowness.ts';
import type { Attack } from './attacks/attack.ts';
import { toBody } from './attacks/attack.ts';
import { SITE } from './support/changing-site.ts';
import { listProcesses } from './support/browser-memory.ts';
import { HARMLESS, printAttack, printProbe } from './support/judge.ts';
import { openKeptEngine, type KeptEngine } from './support/kept-engine.ts';
import { PROBES } from './support/probes.ts';

type Outcome = 'pdf' | 'timeout' | 'render_failed' | 'invalid_parameter';

const KEY = 'failing';
/** The deadline of a document that waits for no selector. */
const SHORT_MS = 1_500;
const RENDERER_MEMORY_MB = 400;
const LEAVE = "localStorage.kept = name = 'kept'; document.cookie = 'kept=attack';";
const [LOOKING = '', INVOICE = ''] = Object.keys(PROBES);
const ENDLESS = `<p>x<script>${LEAVE} while (true);</script>`;

/** Documents that fail, and how they may end. */
const FAILURES: [what: string, attack: Attack, outcomes: Outcome[]][] = [
  ['navigates to a site', { html: `<p>x<script>${LEAVE} location = '${SITE}/'</script>` }, ['render_failed']],
  [
    'navigates to its own origin',
    { html: `<p>x<script>${LEAVE} location = '/next'</script>` },
    ['render_failed'],
  ],
  [
    'navigates after it has loaded',
    { html: `<p>x<script>${LEAVE} onload = () => { location = '/next' }</script>` },
    ['pdf', 'render_failed'],
  ],
  ['reloads', { html: `<p>x<script>${LEAVE} location.reload()</script>` }, ['render_failed', 'pdf']],
  [
    'goes back',
    { html: `<p>x<script>${LEAVE} history.back(); history.go(-9); navigation.back()</script>` },
    ['render_failed', 'pdf'],
  ],
  [
    'opens about:blank in its place',
    { html: `<p>x<script>${LEAVE} location = 'about:blank'</script>` },
    ['render_failed', 'pdf'],
  ],
  [
    'opens a blob in its place',
    {
      html: `<p>x<script>${LEAVE} location = URL.createObjectURL(new Blob(['kept'], { type: 'text/html' }))</script>`,
    },
    ['render_failed', 'pdf'],
  ],
  [
    'sends a form',
    { html: `<form action=/next id=f></form><script>${LEAVE} f.submit()</script>` },
    ['render_failed'],
  ],
  ['closes its page', { html: `<p>x<script>${LEAVE} window.close()</script>` }, ['render_failed', 'pdf']],
  [
    'opens dialogs without end',
    { html: `<p>x<script>${LEAVE} while (true) alert('kept')</script>` },
    ['render_failed'],
  ],
  [
    'fills its heap',
    {
      html: `<script>${LEAVE} const a = []; while (true) a.push(new Array(1e5).fill(Math.random()))</script>`,
    },
    ['render_failed', 'timeout'],
  ],
  [
    'fills the memory',
    { html: `<script>${LEAVE} const a = []; while (true) a.push(new Uint8Array(3e7).fill(1))</script>` },
    ['render_failed', 'timeout'],
  ],
  [
    'shows a page that crashes',
    {
      html: `<p>x<iframe src="chrome://crash"></iframe><script>${LEAVE} try { location = 'chrome://hang' } catch {}</script>`,
    },
    ['pdf', 'render_failed'],
  ],
  [
    'has a sheet that cannot be printed',
    { html: `<style>@page { size: 1000in 1000in }</style>x<script>${LEAVE}</script>` },
    ['render_failed'],
  ],
  [
    'has a page range that is empty',
    { html: `<p>x<script>${LEAVE}</script>`, page_ranges: '7' },
    ['invalid_parameter'],
  ],
  [
    'has a condition that stays false',
    { html: `<p>x<script>${LEAVE}</script>`, wait_for: '#never' },
    ['timeout'],
  ],
  [
    'is refused because of its warnings',
    { html: `<p>x<img src="${SITE}/gone.png"><script>${LEAVE} throw 1</script>`, strict: true },
    ['render_failed'],
  ],
  ['runs into its deadline', { html: ENDLESS }, ['timeout']],
  [
    'runs into its deadline in a timer',
    { html: `<p>x<script>${LEAVE} setTimeout(() => { while (true); }, 5)</script>` },
    ['timeout', 'pdf'],
  ],
  [
    'runs into its deadline while it is printed',
    { html: `<p>x<script>${LEAVE} onbeforeprint = () => { while (true); }</script>` },
    ['timeout', 'pdf'],
  ],
];

let kept: KeptEngine;

before(async () => {
  await using probing = await openKeptEngine();
  const slowness = await measureSlowness(probing.engine);
  kept = await openKeptEngine({ smallDocumentMs: SHORT_MS * slowness, rendererMemoryMb: RENDERER_MEMORY_MB });
});
after(() => kept[Symbol.asyncDispose]());

/** Asserts that the next documents of the key are right. */
async function assertNextRight(): Promise<void> {
  await printProbe(kept, LOOKING, KEY);
  if (isFullRun) await printProbe(kept, INVOICE, KEY);
}

void describe('the next document of a key is right after one that', () => {
  for (const [what, attack, outcomes] of sample(FAILURES, 8, ([, , [first = '']]) => first))
    void it(what, async () => {
      await printAttack(kept, HARMLESS, KEY);
      const end = await kept.print(toBody(attack), KEY, 'attack').then(
        () => 'pdf',
        (error: { code?: string }) => error.code ?? 'unknown',
      );
      assert.ok(
        outcomes.some((outcome) => outcome === end),
        `${end} is none of ${outcomes.join(', ')}`,
      );
      await assertNextRight();
    });

  void it('is aborted by its client', async () => {
    const gone = new AbortController();
    const caller = { keyId: KEY, accountId: KEY, slots: null };
    const aborted = kept.engine.generatePdf(
      parsePdfRequest({ html: ENDLESS, wait_for: 'p' }),
      caller,
      gone.signal,
    );
    const failed = assert.rejects(aborted, /gone/);
    while (kept.engine.status().busy === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    gone.abort(new Error('gone'));
    await failed;
    await assertNextRight();
  });

  void it('was printed with a view transition, which holds the frames of what follows', async () => {
    const html = `<style>@view-transition { navigation: auto } * { view-transition-name: none } p { view-transition-name: kept }</style><p id=p>x<script>${LEAVE} document.startViewTransition(() => { p.textContent = 'kept' }).finished.catch(() => {})</script>`;
    await printAttack(kept, { html }, KEY);
    await assertNextRight();
  });

  void it('was printed, if its renderer ends then', async () => {
    const { pid } = await printAttack(kept, { html: `<p>x<script>${LEAVE}</script>` }, KEY);
    if (listProcesses(kept.browserPid()).includes(pid)) process.kill(pid, 'SIGKILL');
    await assertNextRight();
  });
});
