import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ApiError } from '#errors';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parsePdfRequest, type PdfEngine } from '#pdf';
import { invoice } from './documents/invoice.ts';
import { measureSlowness } from './support/measure-slowness.ts';
import { readPdf } from './support/read-pdf.ts';
import { generate, openEngine as openUnclosed, type LogLine } from './support/open-engine.ts';
import { patientMs } from '../support/patience.ts';

const engines: PdfEngine[] = [];
/** Opens an engine with one slot unless overridden: each has a page that is kept ready. */
const openEngine: typeof openUnclosed = async (overrides, lines) => {
  const engine = await openUnclosed({ slots: 1, ...overrides }, lines);
  engines.push(engine);
  return engine;
};
async function closeEngines(): Promise<void> {
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
}
afterEach(closeEngines);

/** A deadline that is over before a browser that hangs is replaced. */
const HANG_MS = 700;
/** A deadline that is soon over, and long enough for a small document at the speed of the machine. */
let shortMs = 700;
/** The end of a render takes so long after its deadline at most. */
let endMs = 1_000;
before(async () => {
  const slowness = await measureSlowness(await openEngine());
  shortMs *= slowness;
  endMs *= slowness;
  await closeEngines();
});

const ENDLESS = '<p>x<script>while(1);</script>';

/** The processes that were started with this text in their command line. */
function findProcesses(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return pid !== process.pid && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(text);
      } catch {
        return false;
      }
    });
}

function browserPid(lines: LogLine[]): number {
  const line = lines.findLast(({ message }) => message === 'the browser is ready');
  const { browserPid: pid = 0 } = (line?.fields ?? {}) as { browserPid?: number };
  return pid;
}

/** The folder that a browser was started for. */
function folderOf(pid: number): string {
  return (
    /--user-data-dir=(\S+?)\/home\/profile/.exec(
      readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' '),
    )?.[1] ?? ''
  );
}

/** Waits until `isSo`, for a long time at most. */
async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + patientMs(30_000);
  while (!isSo()) {
    assert.ok(performance.now() < end, 'waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Prints an invoice, again if its deadline was too short for the load of the machine. Returns its pages. */
async function printWithin(engine: PdfEngine, ms: number): Promise<number> {
  const end = performance.now() + ms;
  for (;;) {
    try {
      return (await generate(engine, { html: invoice() })).pages;
    } catch (error) {
      if ((error as { code?: string }).code !== 'timeout' || performance.now() > end) throw error;
    }
  }
}

/** Starts an endless render and waits until it runs. */
async function startEndless(engine: PdfEngine, keyId = 'endless'): Promise<{ outcome: Promise<string> }> {
  const outcome = generate(engine, { html: ENDLESS }, keyId).then(
    () => 'pdf',
    (error: { code?: string }) => error.code ?? 'unknown',
  );
  await until(() => engine.status().busy > 0);
  return { outcome };
}

void describe('the engine', () => {
  void it('leaves no process and no folder when it is closed, and finishes renders in flight', async () => {
    const lines: LogLine[] = [];
    const engine = await openEngine({}, lines);
    const folder = folderOf(browserPid(lines));
    assert.ok(existsSync(folder));
    const last = generate(engine, { html: '<p>x<script>1</script>', wait_for: 300 });
    await until(() => engine.status().busy > 0);
    await Promise.all([last, engine.close()]);
    assert.equal((await last).pages, 1);
    assert.deepEqual(findProcesses(folder), []);
    assert.equal(existsSync(folder), false);
    await assert.rejects(generate(engine, { html: 'x' }), {
      code: 'unavailable',
      message: 'The service is shutting down: send the request again.',
      retryAfterSeconds: 5,
    });
  });

  void it('opens without a browser, says why, and rejects documents as unavailable', async () => {
    const engine = await openEngine({ chromiumPath: '/nonexistent/chromium' });
    const status = engine.status();
    assert.equal(status.ready, false);
    assert.match(status.reason ?? '', /CHROMIUM_PATH/);
    await assert.rejects(generate(engine, { html: 'x' }), { code: 'unavailable' });
    await engine.close();
  });

  void it('tries to start a browser again later', async () => {
    let now = 0;
    const lines: LogLine[] = [];
    const engine = await openEngine({ chromiumPath: '/nonexistent/chromium', now: () => now }, lines);
    const failures = (): number => lines.filter(({ level }) => level === 'error').length;
    await assert.rejects(generate(engine, { html: 'x' }), { code: 'unavailable' });
    const before = failures();
    await assert.rejects(generate(engine, { html: 'x' }), { code: 'unavailable' });
    assert.equal(failures(), before);
    now += 60_000;
    await assert.rejects(generate(engine, { html: 'x' }), { code: 'unavailable' });
    assert.equal(failures(), before + 1);
    // A clock that jumps back does not keep the browser from being started.
    now -= 30 * 86_400_000;
    await assert.rejects(generate(engine, { html: 'x' }), { code: 'unavailable', retryAfterSeconds: 30 });
    assert.equal(failures(), before + 2);
    await engine.close();
  });

  void it('reports the network and the sandbox of its browser', async () => {
    const lines: LogLine[] = [];
    const engine = await openEngine({}, lines);
    await generate(engine, { html: '<p>x' });
    const { sandbox, network } = engine.status();
    assert.ok(sandbox || lines.some(({ level, message }) => level === 'warn' && message.includes('SANDBOX')));
    assert.ok(
      network === 'namespace' ||
        lines.some(({ level, message }) => level === 'warn' && message.includes('network')),
    );
    if (sandbox) {
      const renderer = findProcesses('--type=renderer').find((pid) =>
        readFileSync(`/proc/${pid}/status`, 'latin1').includes('Seccomp:\t2'),
      );
      assert.ok(renderer !== undefined, 'a renderer under seccomp-bpf');
    }
    await engine.close();
  });

  void it('starts another browser when one is killed, and repeats the lost renders once, alone', async () => {
    const lines: LogLine[] = [];
    const engine = await openEngine({}, lines);
    const pid = browserPid(lines);
    const folder = folderOf(pid);
    const render = generate(engine, { html: '<p>x<script>1</script>', wait_for: 500 });
    await until(() => engine.status().busy > 0);
    process.kill(pid, 'SIGKILL');
    assert.equal((await render).pages, 1);
    assert.equal((await generate(engine, { html: invoice() })).pages, 1);
    assert.notEqual(browserPid(lines), pid);
    await engine.close();
    assert.equal(existsSync(folder), false);
    assert.deepEqual(findProcesses(folder), []);
  });

  void it('a browser that hangs is replaced, and renders that wait for it or for a page end at their deadline', async () => {
    const lines: LogLine[] = [];
    const engine = await openEngine({ timeoutMs: HANG_MS, slots: 2 }, lines);
    const pid = browserPid(lines);
    process.kill(pid, 'SIGSTOP');
    const outcomes = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((keyId) =>
        generate(engine, { html: '<p>x<script>1</script>' }, keyId).then(
          () => 'pdf',
          (error: { code?: string }) => error.code ?? 'unknown',
        ),
      ),
    );
    assert.deepEqual(outcomes.slice(0, 4), ['timeout', 'timeout', 'timeout', 'timeout']);
    await until(() => browserPid(lines) !== pid);
    assert.equal(await printWithin(engine, patientMs(30_000)), 1);
    await until(() => !existsSync(`/proc/${pid}/exe`));
    await engine.close();
  });

  void it('a client that disconnects releases its slot at once', async () => {
    const engine = await openEngine({ slots: 1 });
    const gone = new AbortController();
    const caller = { keyId: 'a', accountId: 'a', slots: null };
    const endless = engine.generatePdf(parsePdfRequest({ html: ENDLESS }), caller, gone.signal);
    const failed = assert.rejects(endless, /gone/);
    await until(() => engine.status().busy === 1);
    const next = generate(engine, { html: invoice() }, 'b');
    gone.abort(new Error('gone'));
    await failed;
    assert.equal((await next).pages, 1);
    assert.equal(engine.status().busy, 0);
    await engine.close();
  });

  void it('408: a render past its deadline leaves no renderer behind', async () => {
    const lines: LogLine[] = [];
    const engine = await openEngine({ timeoutMs: shortMs, slots: 1 }, lines);
    const folder = folderOf(browserPid(lines));
    const startedAt = performance.now();
    assert.equal(await (await startEndless(engine)).outcome, 'timeout');
    assert.ok(performance.now() - startedAt < shortMs + endMs);
    assert.equal((await generate(engine, { html: invoice() })).pages, 1);
    await engine.close();
    assert.deepEqual(findProcesses(folder), []);
  });

  void it('a slot that is reclaimed for another account ends its render with the reason, and the next document renders', async () => {
    let held = new AbortController();
    const engine = await openEngine({
      slots: 1,
      withSlot: (_caller, _signal, work) => {
        held = new AbortController();
        return work(held.signal);
      },
    });
    const { outcome } = await startEndless(engine);
    held.abort(new ApiError('overloaded'));
    assert.equal(await outcome, 'overloaded');
    assert.equal((await generate(engine, { html: invoice() })).pages, 1);
    await engine.close();
  });

  void it('a service that is killed takes its browser with it, and the next start sweeps its folder', async () => {
    const script = fileURLToPath(new URL('support/serve-until-killed.ts', import.meta.url));
    const temporary = mkdtempSync(join(tmpdir(), 'lifecycle-'));
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
    const { browserPid: pid } = JSON.parse(chunk.toString('utf8')) as { browserPid: number };
    const folder = folderOf(pid);
    assert.ok(existsSync(folder));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const lines: LogLine[] = [];
    const engine = await openEngine({}, lines);
    await until(() => findProcesses(folder).length === 0);
    assert.equal(existsSync(folder), false);
    assert.ok(lines.some(({ message }) => message.includes('was killed')));
    await engine.close();
    rmSync(temporary, { recursive: true });
  });
});

void describe('an engine with one slot', () => {
  let engine: PdfEngine;
  before(async () => {
    engine = await openUnclosed({ slots: 1 });
  });
  after(() => engine.close());

  void it('what a document writes to its console, in frames too, reaches no thread that other documents share', async () => {
    const html =
      '<p id=p></p><iframe id=f srcdoc=x></iframe><script>p.textContent=[console.log,f.contentWindow.console.error].join(";")</script>';
    const { pdf } = await generate(engine, { html });
    assert.equal((await readPdf(pdf)).pages[0]?.text.replaceAll(/\s/g, ''), '()=>{};()=>{}x');
  });

  void it('two documents of two keys never share a page', async () => {
    const first = await generate(engine, { html: '<title>SECRET</title><p>x' }, 'a');
    const second = await generate(engine, { html: '<p>y' }, 'b');
    assert.deepEqual([first.lane, second.lane], ['static', 'static']);
  });

  void it('keeps nothing of a document with scripts: names, storage, history, cookies', async () => {
    const write = `<script>window.name="SECRET";history.pushState("SECRET","");try{localStorage.a="SECRET"}catch{};try{document.cookie="a=SECRET"}catch{};try{sessionStorage.a="SECRET"}catch{};try{new BroadcastChannel("c").postMessage(1)}catch{}</script>`;
    const read = `<p id=p>body<script>p.append(window.name,history.state??"",history.length);try{p.append(localStorage.a)}catch{};try{p.append(document.cookie)}catch{}</script>`;
    const alone = await generate(engine, { html: read }, 'c');
    await generate(engine, { html: write }, 'c');
    const after = await generate(engine, { html: read }, 'c');
    assert.equal(after.pdf.length, alone.pdf.length);
  });
});
