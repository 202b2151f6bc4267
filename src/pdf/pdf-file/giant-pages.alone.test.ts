import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTurnMeter } from '../../../test/support/turn-meter.ts';
import { hasGiantPage } from './page-heads.ts';

const SLICE = 256 * 1024;
const USUAL = '/MediaBox [0 0 595 842]';
const GIANT = '/MediaBox [0 0 595 14401]';

void describe('a sheet that no viewer shows', () => {
  void it('is found in a small PDF', async () => {
    assert.equal(await hasGiantPage(Buffer.from(`${USUAL} ${USUAL}`)), false);
    assert.equal(await hasGiantPage(Buffer.from(`${USUAL} ${GIANT}`)), true);
  });

  void it('is found in a large PDF wherever it is, also across the end of a slice', async () => {
    const pdf = Buffer.alloc(3 * SLICE, ' ');
    pdf.write(USUAL, SLICE - 9);
    assert.equal(await hasGiantPage(pdf), false);
    for (let at = SLICE - GIANT.length; at <= SLICE; at += 1) {
      const copy = Buffer.from(pdf);
      copy.write(GIANT, at);
      assert.equal(await hasGiantPage(copy), true, `at ${at}`);
    }
    pdf.write(GIANT, pdf.length - GIANT.length);
    assert.equal(await hasGiantPage(pdf), true);
  });

  void it('is found in turns of less than 50 ms, for any number of PDFs at once', async () => {
    const empty = Buffer.alloc(200 * SLICE, '/Media');
    const crowded = Buffer.from(USUAL.repeat(300_000));
    let best = Infinity;
    for (let tries = 0; tries < 3 && best >= 25; tries += 1) {
      const meter = startTurnMeter();
      assert.deepEqual(await Promise.all([empty, crowded, empty, crowded].map(hasGiantPage)), [
        false,
        false,
        false,
        false,
      ]);
      best = Math.min(best, meter.stop());
    }
    assert.ok(best < 50, `${best.toFixed(1)} ms`);
  });
});
