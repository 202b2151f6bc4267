import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_MARGINS } from '../request/document-members.ts';
import { printLayers } from './print-layers.ts';

void describe('the layers of a PDF', () => {
  void it('hold the pages that they are laid on, and no others', async () => {
    const count = 2_000;
    const pages = Array.from({ length: count }, (_, at) => ({
      width: 500 + at / 10,
      height: 800,
      margins: DEFAULT_MARGINS,
    }));
    const layers = await printLayers(
      { templates: { watermark: 'Draft' }, watermarkPosition: 'over', title: '', pages },
      {
        evaluate: () => Promise.resolve(['', 'Draft']),
        print: () => Promise.resolve(new Uint8Array()),
      },
    );
    assert.equal(layers.length, count);
    assert.deepEqual(
      layers.map((layer) => [...layer.pages]),
      pages.map((_page, at) => [[at, 0]]),
    );
  });
});
