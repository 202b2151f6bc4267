import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { describe, it } from 'node:test';
import { ConfigError, loadConfig } from './load-config.ts';

/** The one line that this value of the variable stops the start with. */
function findProblem(name: string, value: string): string {
  try {
    loadConfig({ [name]: value });
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    assert.equal(error.problems.length, 1);
    return error.message;
  }
  return assert.fail(`${name}=${value} is accepted`);
}

describe('PLANS', () => {
  const parse = (text: string) => [...loadConfig({ PLANS: text }).plans];

  it('sets a limit, or a limit and slots, in any mixture and in the order given', () => {
    assert.deepEqual(parse('free=60/2, pro=600/4 ,business=6000'), [
      ['free', { limitPerMinute: 60, slots: 2 }],
      ['pro', { limitPerMinute: 600, slots: 4 }],
      ['business', { limitPerMinute: 6000, slots: null }],
    ]);
    assert.deepEqual(parse('a=999999999/256,b-2_c=1/1,'), [
      ['a', { limitPerMinute: 999_999_999, slots: 256 }],
      ['b-2_c', { limitPerMinute: 1, slots: 1 }],
    ]);
  });

  it('leaves the concurrency to the machine by default', () => {
    const { plans } = loadConfig({});
    assert.deepEqual(
      [...plans].map(([name, { limitPerMinute, slots }]) => [name, limitPerMinute, slots]),
      [
        ['free', 60, null],
        ['pro', 600, null],
        ['business', 6000, null],
      ],
    );
  });

  for (const [text, message] of [
    ['free', /must be name=limit\/slots\*weight .* like free=60\/2,pro=600\*4; «free» is not\.$/],
    ['free=60/', /«free=60\/» is not\.$/],
    ['free=/2', /«free=\/2» is not\.$/],
    ['free=60/2/3', /«free=60\/2\/3» is not\.$/],
    ['free=60/1.5', /«free=60\/1\.5» is not\.$/],
    ['free=60/-1', /«free=60\/-1» is not\.$/],
    ['free=60/auto', /«free=60\/auto» is not\.$/],
    ['free=6e1', /«free=6e1» is not\.$/],
    ['Free=60', /«Free=60» is not\.$/],
    ['pro=600,=60', /«=60» is not\.$/],
    ['free=٦٠', /«free=٦٠» is not\.$/],
    ['free=60\nx', /«free=60 x» is not\.$/],
    [`free=${'9'.repeat(500)}`, /«free=9{55}…» is not\.$/],
    ['free=0/2', /at least 1 request per minute; «free=0\/2» does not: write free=60\.$/],
    ['free=60/0', /1 to 256 browser slots .* «free=60\/0» does not: write free=60\/2, or free=60 to derive/],
    ['free=60/257', /1 to 256 browser slots .* «free=60\/257» does not/],
    ['free=60/2,free=60', /names the plan free twice; write each plan once\.$/],
    [',', /names no plan; write name=limit\/slots\*weight/],
  ] as const)
    it(`${JSON.stringify(text.slice(0, 40))} is refused in one line that says what to write`, () => {
      const problem = findProblem('PLANS', text);
      assert.match(problem, /^PLANS [^\n]+\.$/);
      assert.match(problem, message);
    });
});

describe('PDF_SLOTS', () => {
  it('auto is the number of cores and two', () => {
    assert.equal(loadConfig({}).pdfSlots, Math.min(256, availableParallelism() + 2));
    assert.equal(loadConfig({ PDF_SLOTS: 'auto' }).pdfSlots, loadConfig({}).pdfSlots);
  });

  it('is a whole number from 1 to 256', () => {
    for (const count of [1, 7, 256]) assert.equal(loadConfig({ PDF_SLOTS: String(count) }).pdfSlots, count);
    for (const text of ['0', '257', '1.5', '-1', 'AUTO', 'two'])
      assert.match(
        findProblem('PDF_SLOTS', text),
        new RegExp(`^PDF_SLOTS must be auto or a whole number from 1 to 256; «${text}» is not\\.$`),
      );
  });
});

describe('BODY_MEMORY_MB', () => {
  it('is 96 by default and 64 to 4096', () => {
    assert.equal(loadConfig({}).bodyMemoryMb, 192);
    assert.equal(loadConfig({ BODY_MEMORY_MB: '64' }).bodyMemoryMb, 64);
    assert.equal(loadConfig({ BODY_MEMORY_MB: '4096' }).bodyMemoryMb, 4096);
    for (const text of ['63', '4097', '96MB'])
      assert.match(findProblem('BODY_MEMORY_MB', text), /must be a whole number from 64 to 4096/);
  });
});
