import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listPages } from './page-files.ts';
import { describeWithParse5, detailsWithParse5 } from './parse5-oracle.ts';
import { seeded } from '../support/random.ts';
import { describeBytes } from './describe-bytes.ts';

const pages = listPages();
const isFull = process.env.TEST_FULL === '1';

describe('realistic pages', () => {
  for (const { name, bytes, head, expected, details } of pages) {
    it(`${name}: has the expected fields`, () => {
      assert.deepEqual(describeBytes(bytes, head), expected);
    });

    it(`${name}: has the same fields by parse5`, { skip: isXml(head) && 'XML is not parsed as HTML' }, () => {
      const { url: _, ...found } = describeBytes(bytes, head);
      assert.deepEqual(found, describeWithParse5(bytes, head, found.charset!));
    });

    it(`${name}: has the same fields with details, and the expected details`, () => {
      const { details: found, ...fields } = describeBytes(bytes, head, { details: true });
      assert.deepEqual(fields, expected);
      for (const [key, value] of Object.entries(details))
        assert.deepEqual(found?.[key as keyof typeof found], value, key);
    });

    it(
      `${name}: has the same details by parse5`,
      { skip: isXml(head) && 'XML is not parsed as HTML' },
      () => {
        const { details: found, charset } = describeBytes(bytes, head, { details: true });
        const { icons, ...others } = detailsWithParse5(bytes, head, charset!);
        assert.deepEqual(
          found!.icons.map((icon) => icon.url),
          icons,
        );
        for (const [key, value] of Object.entries(others))
          assert.deepEqual(found![key as keyof typeof found], value, key);
      },
    );

    it(`${name}: is described the same in any chunks`, () => {
      const whole = describeBytes(bytes, head, { details: true });
      const everyByte = Array.from(bytes, (_, at) => at);
      assert.deepEqual(describeBytes(bytes, head, { details: true, cuts: everyByte }), whole);
      assert.deepEqual(describeBytes(bytes, head, { cuts: everyByte }), expected);
      for (const cut of isFull ? everyByte : sampleOf(everyByte, 60)) {
        assert.deepEqual(describeBytes(bytes, head, { details: true, cuts: [cut] }), whole, `cut at ${cut}`);
        assert.deepEqual(describeBytes(bytes, head, { cuts: [cut] }), expected, `cut at ${cut}`);
      }
    });
  }

  it('are at least 25, in 10 languages and 12 encodings', () => {
    assert.ok(pages.length >= 25);
    assert.ok(new Set(pages.map(({ expected }) => expected.language?.slice(0, 2))).size >= 10);
    assert.ok(new Set(pages.map(({ expected }) => expected.charset)).size >= 12);
  });
});

function isXml(head: { headers: ReadonlyMap<string, string> }): boolean {
  return head.headers.get('content-type')!.includes('xml');
}

function sampleOf(list: readonly number[], count: number): number[] {
  const below = seeded(4);
  return Array.from({ length: count }, () => list[below(list.length)]!);
}
