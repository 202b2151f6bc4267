import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadDomainLists } from '../lists/domain-lists.ts';
import { computeEditCost } from './edit-cost.ts';
import { listRespellings } from './provider-families.ts';
import {
  computeConfidence,
  CONFIDENCE,
  FIRST_LETTER_RULES,
  LETTER_RULES,
  RESPELLING_COST,
  RESPELLINGS,
  SOLE_SUFFIX_RULES,
  SUFFIX_CONFUSIONS,
  SUFFIX_RULES,
} from './rules.ts';
import { computeSuffixCost, type TypedSuffix } from './find-suffix.ts';
import { suggestForDomain } from './suggest-domain.ts';

const NO_LIMIT = 1000;
const lists = loadDomainLists();

function createSuffix(text: string, isReal: boolean): TypedSuffix {
  return { text, isReal, hasRealTopLevel: true };
}

describe('each rule costs what its example costs', () => {
  for (const [name, { cost, typed, meant }] of Object.entries(LETTER_RULES)) {
    it(`${name}: ${typed} → ${meant}`, () => {
      assert.equal(computeEditCost(typed, meant, NO_LIMIT), cost);
    });
  }

  for (const [name, { cost, of, typed, meant }] of Object.entries(FIRST_LETTER_RULES)) {
    it(`first letter, ${name}: ${typed} → ${meant}`, () => {
      assert.equal(computeEditCost(typed, meant, NO_LIMIT), LETTER_RULES[of].cost + cost);
    });
  }

  for (const [name, { cost, typed, meant }] of Object.entries(SUFFIX_RULES)) {
    it(`suffix, ${name}: ${typed} → ${meant}`, () => {
      const isFamous = name === 'genericForCom';
      assert.equal(computeSuffixCost(createSuffix(typed, isFamous), meant, isFamous, NO_LIMIT), cost);
    });
  }

  it('two swapped letters, of which one is another, are cheap only if it is a vowel typed for a vowel', () => {
    const { cost } = LETTER_RULES.swappedOtherVowel;
    for (const [typed, meant] of [
      ['gimil', 'gmxil'],
      ['gxmil', 'gmail'],
    ] as const) {
      assert.ok(computeEditCost(typed, meant, NO_LIMIT) > cost, typed);
    }
  });

  it('a generic suffix is typed for .com only of a famous provider', () => {
    const { typed, meant } = SUFFIX_RULES.genericForCom;
    assert.ok(computeSuffixCost(createSuffix(typed, true), meant, false, NO_LIMIT) > NO_LIMIT);
  });

  for (const [typed, costs] of SUFFIX_CONFUSIONS) {
    for (const [meant, cost] of Object.entries(costs)) {
      it(`suffix: ${typed} → ${meant}`, () => {
        assert.equal(computeSuffixCost(createSuffix(typed, true), meant, false, NO_LIMIT), cost);
      });
    }
  }

  for (const [name, { cost, typed, meant }] of Object.entries(SOLE_SUFFIX_RULES)) {
    it(`sole suffix, ${name}: ${typed} → ${meant}`, () => {
      assert.deepEqual(suggestForDomain(typed, lists, false), {
        domain: meant,
        confidence: 0.98 - cost / 500,
        overridesMail: true,
      });
    });
  }

  for (const [meant, typed, example] of RESPELLINGS) {
    it(`by ear: ${example}`, () => {
      const [label = '', spelling = ''] = example.split(' → ');
      assert.equal(label.replace(meant, typed), spelling);
      assert.ok(listRespellings(label).some((entry) => entry.label === spelling));
      assert.ok(listRespellings(label).every(({ cost }) => cost === RESPELLING_COST));
    });
  }

  for (const [typed, meant, confidence] of [
    ['gamil.com', 'gmail.com', CONFIDENCE.knownTypo],
    ['hotmailc.om', 'hotmail.com', CONFIDENCE.movedDot],
    ['xn--gmil-63d.com', 'gmail.com', CONFIDENCE.confusable],
    ['gmail', 'gmail.com', CONFIDENCE.missingSuffix],
    ['acme.con', 'acme.com', CONFIDENCE.topLevel],
  ] as const) {
    it(`confidence: ${typed} → ${meant}`, () => {
      const suggestion = suggestForDomain(typed, lists, false);
      assert.deepEqual([suggestion?.domain, suggestion?.confidence], [meant, confidence]);
    });
  }
});

it('a correction that is not found by cost is at least as sure as the costliest that is, and never certain', () => {
  const lowest = computeConfidence(NO_LIMIT);
  assert.equal(lowest, 0.5);
  for (const [name, confidence] of Object.entries(CONFIDENCE))
    assert.ok(confidence >= lowest && confidence < 1, name);
});

it('a corrected top-level domain is the least sure of the corrections that are not found by cost', () => {
  for (const [name, confidence] of Object.entries(CONFIDENCE))
    if (name !== 'topLevel') assert.ok(confidence > CONFIDENCE.topLevel, name);
});
