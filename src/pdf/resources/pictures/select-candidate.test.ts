import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSrcset } from './select-candidate.ts';

/** Each srcset with its candidates: URL and descriptors. */
const ROWS: Record<string, [url: string, descriptors: string][]> = {
  '': [],
  ' , ,, ': [],
  'a.png': [['a.png', '']],
  'a.png 1x, b.png 2x': [
    ['a.png', '1x'],
    ['b.png', '2x'],
  ],
  'a.png, b.png 2x': [
    ['a.png', ''],
    ['b.png', '2x'],
  ],
  // A comma within a URL belongs to it, as in those of image services.
  'a,w_100.png 100w,b,w_200.png 200w': [
    ['a,w_100.png', '100w'],
    ['b,w_200.png', '200w'],
  ],
  'a.png,b.png 2x': [['a.png,b.png', '2x']],
  'a.png,, b.png': [
    ['a.png', ''],
    ['b.png', ''],
  ],
  'data:image/png;base64,AA== 1x, data:,x': [
    ['data:image/png;base64,AA==', '1x'],
    ['data:,x', ''],
  ],
  '\n\ta.png\n 1x\n,\r\fb.png 2x\n': [
    ['a.png', '1x'],
    ['b.png', '2x'],
  ],
  'a.png 100w 50h ,b.png': [
    ['a.png', '100w 50h'],
    ['b.png', ''],
  ],
  'a.png x(1, b.png) 2x, c.png': [
    ['a.png', 'x(1, b.png) 2x'],
    ['c.png', ''],
  ],
  'a.png x(1, b.png': [['a.png', 'x(1, b.png']],
  // A no-break space is no white space of HTML.
  'a.png\u00a02x, b.png': [
    ['a.png\u00a02x', ''],
    ['b.png', ''],
  ],
};

void describe('the candidates of a srcset', () => {
  for (const [srcset, expected] of Object.entries(ROWS)) {
    void it(JSON.stringify(srcset), () => {
      const candidates = parseSrcset(srcset);
      assert.deepEqual(
        candidates.map(({ url, descriptors }) => [url, descriptors]),
        expected,
      );
    });
  }
});
