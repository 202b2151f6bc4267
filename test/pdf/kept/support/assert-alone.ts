import assert from 'node:assert/strict';
import { readPdf } from '../../support/read-pdf.ts';
import { printAlone, printInNewBrowser, type Printed } from './kept-engine.ts';

/**
 * New browsers that a probe is compared with, until one prints the same: on a busy machine one may print a
 * clock a step later.
 */
const NEW_BROWSERS = 3;
const MAX_LINES = 12;

/** Asserts that a probe was printed as in a browser that has printed nothing else. */
export async function assertAlone(probe: string, printed: Printed): Promise<void> {
  for (let browser = 1; ; browser += 1) {
    const alone = await (browser === 1 ? printAlone(probe) : printInNewBrowser(probe));
    const isSame = printed.bytes === alone.bytes;
    if (isSame || browser === NEW_BROWSERS) {
      assert.ok(isSame, `${probe} differs: ${await describeDifference(printed, alone)}`);
      assert.deepEqual(printed.warnings, alone.warnings, probe);
      assert.deepEqual(printed.requested, alone.requested, probe);
      return;
    }
  }
}

/** Returns the lines of text that differ, as printed and as in a new browser. */
async function describeDifference(printed: Printed, alone: Printed): Promise<string> {
  const [lines, expected] = [await readLines(printed), await readLines(alone)];
  const changed = lines.filter((line, index) => line !== expected[index]);
  const missing = expected.filter((line, index) => line !== lines[index]);
  if (changed.length + missing.length === 0)
    return `no text, but ${printed.bytes.length} bytes in place of ${alone.bytes.length}`;
  const show = (sign: string, some: string[]) =>
    some.slice(0, MAX_LINES).map((line) => `\n  ${sign} ${line}`);
  return [...show('+', changed), ...show('-', missing)].join('');
}

async function readLines({ pdf }: Printed): Promise<string[]> {
  const { pages } = await readPdf(pdf);
  return pages.flatMap(({ text }) => text.split('\n'));
}
