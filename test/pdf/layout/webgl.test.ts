import assert from 'node:assert/strict';
import { it } from 'node:test';
import { generate } from '../support/open-engine.ts';
import { readPdf } from '../support/read-pdf.ts';
import { shareEngine } from '../support/shared-engine.ts';

void it('WebGL is off, and canvas in two dimensions works', async () => {
  const engine = await shareEngine();
  const html = `<p id="p"><script>
    const get = (name) => document.createElement('canvas').getContext(name) === null ? name + ' is off' : name + ' is on';
    document.getElementById('p').textContent = ['webgl', 'webgl2', '2d'].map(get).join(', ');
  </script>`;
  const { pages } = await readPdf((await generate(engine, { html })).pdf);
  assert.equal(pages[0]?.text.trim(), 'webgl is off, webgl2 is off, 2d is on');
});
