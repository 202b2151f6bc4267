import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '#errors';
import type { PdfEngine } from '#pdf';
import { seeded } from '../support/random.ts';
import { isFullRun } from '../support/sample.ts';
import { invoice } from './documents/invoice.ts';
import { report } from './documents/report.ts';
import { generate, openEngine, type LogLine } from './support/open-engine.ts';
import { readPdf } from './support/read-pdf.ts';

const DEATHS = isFullRun ? 60 : 2;
/** The PDF of so many bytes of noise is as large. */
const NOISE_BYTES = 3_000_000;

/** A document whose PDF is megabytes: an image that cannot be compressed. */
function noisy(): string {
  const pixels = randomBytes(NOISE_BYTES);
  const header = Buffer.alloc(54);
  header.write('BM');
  header.writeUInt32LE(54 + NOISE_BYTES, 2);
  header.writeUInt32LE(54, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(1_000, 18);
  header.writeInt32LE(1_000, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  return `<img src="data:image/bmp;base64,${Buffer.concat([header, pixels]).toString('base64')}">`;
}

/** Returns the browsers that run: the shared one, and those of one render alone. */
function listBrowsers(lines: LogLine[]): number[] {
  return lines
    .filter(({ message }) => message === 'the browser is ready')
    .map(({ fields }) => (fields as { browserPid: number }).browserPid)
    .filter((pid) => existsSync(`/proc/${pid}/exe`));
}

/** Kills one of the browsers that run; waits for the next one if the engine has just replaced its browser. */
async function killBrowser(lines: LogLine[], random: (below: number) => number): Promise<void> {
  let pids = listBrowsers(lines);
  for (; pids.length === 0; pids = listBrowsers(lines)) await delay(1);
  process.kill(pids[random(pids.length)] as number, 'SIGKILL');
}

/** The bytes that the service has read from pipes and files so far: a step of the render, without a clock. */
function readBytes(): number {
  return Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'latin1'))?.[1]);
}

/** Resolves when the service has read this many bytes more, or the renders have ended. */
async function whenRead(bytes: number, ended: Promise<unknown>): Promise<void> {
  const end = readBytes() + bytes;
  const state = { hasEnded: false };
  void ended.finally(() => (state.hasEnded = true));
  while (readBytes() < end && !state.hasEnded) await delay(1);
}

void describe('a browser that is killed', () => {
  const lines: LogLine[] = [];
  let engine: PdfEngine;
  before(async () => {
    engine = await openEngine({ slots: 2 }, lines);
  });
  after(() => engine.close());

  void it('at any moment: renders succeed or fail with a typed error, and the next one succeeds', async () => {
    const random = seeded(4);
    const large = noisy();
    for (let death = 0; death < DEATHS; death += 1) {
      const renders = [large, report(1), '<p>x<script>1</script>'].map((html, index) =>
        generate(engine, { html }, `key ${index}`).then(
          ({ pages }) => pages > 0,
          (error: unknown) => error instanceof ApiError && error.code !== 'internal',
        ),
      );
      const ended = Promise.all(renders);
      await whenRead(random(random(2) === 0 ? 20_000 : 5_000_000), ended);
      await killBrowser(lines, random);
      assert.deepEqual(await ended, [true, true, true]);
      assert.equal((await generate(engine, { html: invoice() })).pages, 1);
    }
    assert.equal(engine.status().ready, true);
  });
});

const VERSION =
  '{"id":1,"result":{"protocolVersion":"1.3","product":"Fake/1","revision":"","userAgent":"","jsVersion":""}}\\0';

/** Programs that are started instead of the browser, by what they write to the pipe. */
const FAKES: [name: string, script: string][] = [
  ['garbage at once', `printf 'nonsense\\0' >&4; exec sleep 1000`],
  ['garbage together with its first response', `printf '${VERSION}nonsense\\0' >&4; exec sleep 1000`],
  [
    'garbage after its first response',
    `printf '${VERSION}' >&4; sleep 0.1; printf 'nonsense\\0' >&4; exec sleep 1000`,
  ],
  ['half a message, and ends', `printf '${VERSION}' >&4; sleep 0.1; printf '{"method":"Page.lo' >&4`],
  ['nothing, and ends', 'exit 1'],
];

void describe('a program that is no browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'no-browser-'));
  chmodSync(folder, 0o755);
  after(() => rmSync(folder, { recursive: true }));

  for (const [index, [name, script]] of FAKES.entries()) {
    void it(`${name}: PDF is unavailable after three starts`, async () => {
      const lines: LogLine[] = [];
      const chromiumPath = join(folder, String(index));
      writeFileSync(chromiumPath, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      const engine = await openEngine(
        { chromiumPath, useNetworkNamespace: false, requireSandbox: true },
        lines,
      );
      const count = (message: RegExp): number => lines.filter((line) => message.test(line.message)).length;
      try {
        while (count(/ended unexpectedly/) < 3 && count(/no browser could be started/) === 0)
          await new Promise((resolve) => setTimeout(resolve, 20));
        await assert.rejects(generate(engine, { html: 'x' }), { code: 'unavailable' });
        assert.equal(engine.status().ready, false);
        assert.ok(count(/the browser is ready/) <= 3);
      } finally {
        await engine.close();
      }
    });
  }
});

/**
 * On a machine under load the engine may take its browser for one that hangs, and replace it. A message that
 * breaks the connection loses the browser in each round.
 */
const MAX_ROUNDS = 3;

/** Documents whose messages are too large to be parsed. */
const LARGE_MESSAGES: [name: string, html: string, text: RegExp][] = [
  [
    'a request with a body of 3 MB',
    '<p>x <script>fetch("https://a.example/",{method:"POST",body:"x".repeat(3e6)}).catch(()=>document.body.append("gap"))</script>',
    /x\s+gap/,
  ],
  [
    'a frame with an address of 3 MB',
    `<p>x<iframe src="data:text/html,${'y'.repeat(3_000_000)}"></iframe>`,
    /x/,
  ],
  ['a frame with a name of 3 MB', `<p>x<iframe name="${'y'.repeat(3_000_000)}"></iframe>`, /x/],
  [
    'a window with a name of 3 MB',
    '<p>x<script>name="y".repeat(3e6);history.pushState(1,"","#a")</script>',
    /x/,
  ],
];

void describe('a document whose messages are megabytes', () => {
  const lines: LogLine[] = [];
  let engine: PdfEngine;
  before(async () => {
    engine = await openEngine({ slots: 2 }, lines);
  });
  after(() => engine.close());

  for (const [name, html, text] of LARGE_MESSAGES) {
    void it(`${name}: it is printed, and its neighbor too, by the same browser`, async () => {
      const countBrowsers = (): number =>
        lines.filter(({ message }) => message === 'the browser is ready').length;
      let before = -1;
      for (let round = 0; round < MAX_ROUNDS && before !== countBrowsers(); round += 1) {
        before = countBrowsers();
        const [large, neighbor] = await Promise.all([
          generate(engine, { html }, 'large'),
          generate(engine, { html: invoice() }, 'neighbor'),
        ]);
        assert.match((await readPdf(large.pdf)).pages[0]?.text ?? '', text);
        assert.equal(neighbor.pages, 1);
      }
      assert.equal(countBrowsers(), before);
    });
  }
});
