import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PdfEngine } from '#pdf';
import { startTurnMeter } from '../support/turn-meter.ts';
import { generate, openEngine } from './support/open-engine.ts';

const MAX_HTML_BYTES = 5_242_880;
const MAX_TURN_MS = 50;

const ROW = '<tr><td>Consulting, senior engineer</td><td>1,680.00</td></tr>\n';

/** Documents of 5 MiB that the browser prints quickly, as nothing of them is laid out. */
const documents: Record<string, [lane: 'static' | 'fresh', before: string, piece: string]> = {
  'a table': ['static', 'x<table hidden>', ROW],
  'a table and a script': ['fresh', 'x<script>1</script><table hidden>', ROW],
  'nothing but tags of the head': ['static', '', '<meta>'],
  comments: ['static', 'x', '<!--a-->'],
  'one long line': ['static', 'x<!--', 'x'],
};

let engine: PdfEngine;

before(async () => {
  engine = await openEngine({ slots: 1 });
});
after(() => engine.close());

void describe('a document of 5 MiB', () => {
  for (const [name, [lane, start, piece]] of Object.entries(documents)) {
    void it(`is rendered in turns of less than 50 ms: ${name}`, async () => {
      const html = Buffer.from(
        start + piece.repeat(Math.floor((MAX_HTML_BYTES - start.length) / piece.length)),
      ).toString();
      let best = Infinity;
      for (let tries = 0; tries < 3 && best >= MAX_TURN_MS / 2; tries += 1) {
        const meter = startTurnMeter();
        const document = await generate(engine, { html });
        best = Math.min(best, meter.stop());
        assert.equal(document.lane, lane);
      }
      assert.ok(best < MAX_TURN_MS, `${best.toFixed(1)} ms`);
    });
  }
});
