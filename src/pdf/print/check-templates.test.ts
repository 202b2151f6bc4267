import assert from 'node:assert/strict';
import { it } from 'node:test';
import { TemplateHeights, type Heights } from './check-templates.ts';

void it('headers and footers are measured once for each key, whatever their numbers', async () => {
  const heights = new TemplateHeights();
  let count = 0;
  const find = async (keyId: string, html: string): Promise<number> => {
    count = 0;
    const measure = (): Promise<Heights> => Promise.resolve([(count += 1), 2]);
    assert.deepEqual(await heights.find(keyId, html, measure), [1, 2]);
    return count;
  };
  assert.equal(await find('a', '<p>Invoice 17</p>'), 1);
  assert.equal(await find('a', '<p>Invoice 99</p>'), 0);
  assert.equal(await find('b', '<p>Invoice 17</p>'), 1, 'another key');
  assert.equal(await find('a', '<p>Invoice 170</p>'), 1, 'a longer number');
});

for (const [place, html] of Object.entries({
  tag: '<p style="height:17px">x</p>',
  'tag after a quoted bracket': '<p title=">" style="height:17px">x</p>',
  'style element': '<style>p{height:17px}</style><p>x</p>',
  'character reference': '<p>&#17;</p>',
  'named character reference': '<p>&frac17;</p>',
})) {
  void it(`headers and footers that differ in a number of a ${place} are measured each`, async () => {
    const heights = new TemplateHeights();
    const tall = html.replace('17', '90');
    assert.deepEqual(await heights.find('a', html, () => Promise.resolve([17, 0])), [17, 0]);
    assert.deepEqual(await heights.find('a', tall, () => Promise.resolve([90, 0])), [90, 0]);
  });
}

void it('nothing is remembered of templates that are large or could not be measured', async () => {
  const heights = new TemplateHeights();
  let count = 0;
  for (let round = 0; round < 2; round += 1) {
    await heights.find('a', 'x'.repeat(20_000), () => Promise.resolve([(count += 1), 0]));
    await heights.find('a', 'x', () => ((count += 1), Promise.resolve(null)));
  }
  assert.equal(count, 4);
});
