import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadDomainLists } from '#email';
import { loadCases } from '../../scripts/suggestion-thresholds/load-cases.ts';
import {
  computeObjective,
  openScorer,
  suggestOverMail,
  suggestWithoutDns,
} from '../../scripts/suggestion-thresholds/open-scorer.ts';
import { loadPlateaus } from '../../scripts/suggestion-thresholds/plateaus.ts';
import {
  getGrid,
  getMiddle,
  type ThresholdName,
} from '../../scripts/suggestion-thresholds/sweep-threshold.ts';
import { suggestDomain } from '../../src/email/suggest/suggest-domain.ts';
import { THRESHOLDS } from '../../src/email/suggest/thresholds.ts';

const DERIVE = 'run npm run lists -- thresholds --write';
const names = Object.keys(THRESHOLDS) as ThresholdName[];
const plateaus = loadPlateaus();

describe('domains near a threshold', () => {
  const lists = loadDomainLists();
  const listsWithoutFree = { ...lists, free: new Set<string>() };

  for (const { typed, meant, note, acceptsMail } of loadCases().boundaryDomains) {
    it(`${note}: ${typed} → ${meant ?? 'nothing'}`, () => {
      const suggest = acceptsMail ? suggestOverMail : suggestWithoutDns;
      assert.equal(suggest(typed, listsWithoutFree), meant);
    });
  }

  it('a missing dot costs 20, a missing suffix 30', () => {
    const getConfidence = (domain: string) => suggestDomain(domain, lists)?.confidence;
    assert.equal(getConfidence('yaooh.com'), 0.76);
    assert.equal(getConfidence('yaoohcom'), 0.72);
    assert.equal(getConfidence('outlokc.com'), 0.67);
    assert.equal(getConfidence('outlokc'), 0.61);
  });
});

describe('thresholds of suggestions are derived from the cases', () => {
  it('no plateau is recorded for a threshold that does not exist', () => {
    assert.deepEqual([...plateaus.keys()], names, DERIVE);
  });

  for (const name of names) {
    it(`${name} is the middle of its plateau, and cases are lost on both sides`, () => {
      const plateau = plateaus.get(name);
      assert.ok(plateau !== undefined, `${name} is not derived: ${DERIVE}`);
      const { from, to, best, below, above } = plateau;
      assert.equal(THRESHOLDS[name], getMiddle(name, from, to), `${name}: ${DERIVE}`);
      assert.ok(below !== null && below < best, `no case needs ${name} to be as high: add one, or delete it`);
      assert.ok(above !== null && above < best, `no case needs ${name} to be as low: add one, or delete it`);
    });
  }

  const score = openScorer();

  it('the thresholds score as recorded, with no false suggestion', () => {
    const { correct, wrong } = score(THRESHOLDS);
    assert.equal(wrong, 0);
    for (const [name, { best }] of plateaus) assert.equal(best, correct, `${name}: ${DERIVE}`);
  });

  for (const name of process.env['TEST_FULL'] === '1' ? names : sample(names)) {
    it(`${name} scores less one step beyond its plateau`, () => {
      const { from, to, best, below, above } = plateaus.get(name) ?? assert.fail(DERIVE);
      const grid = getGrid(name);
      const scoreAt = (value: number | undefined) =>
        value === undefined ? null : computeObjective(score({ ...THRESHOLDS, [name]: value }));
      const values = [grid[grid.indexOf(from) - 1], from, to, grid[grid.indexOf(to) + 1]];
      assert.deepEqual(values.map(scoreAt), [below, best, best, above], `${name}: ${DERIVE}`);
    });
  }
});

/** One threshold in ten. */
function sample(all: readonly ThresholdName[]): ThresholdName[] {
  return all.filter((_, at) => at % 10 === 4);
}
