import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadDomainLists } from '../lists/domain-lists.ts';
import { suggestDomain } from './suggest-domain.ts';

const lists = loadDomainLists();

/** A domain just beyond a threshold, or just within it, and its suggestion. */
const CASES: [threshold: string, typed: string, meant: string | null][] = [
  ['a small provider allows less: weight below 8', 'yrambler.ru', null],
  ['a small provider allows less: weight below 20', 'airgilio.it', null],
  ['a provider of weight 20 has no bonus', 'mayil.com', null],
  ['a provider of 7 letters and weight below 8 allows only a slip', 'rinbox.con', 'rinbox.com'],
  ['a popular word allows an adjacent first key', 'irange.fr', 'orange.fr'],
  ['a nonexistent suffix allows more', 'cmail.con', 'gmail.com'],
  ['a label with an error needs a nearer suffix', 'sezna.zz', null],
  ['three letters, one doubled', 'ggmx.li', null],
  ['three letters, two swapped', 'gxm.li', null],
  ['one of a pair missing, of a small provider', 'box.fr', null],
  ['one of a pair missing, of a popular word', 'tera.com.br', 'terra.com.br'],
  ['four or five letters, one doubled', 'mmail.dk', null],
  ['four letters, two swapped', 'adum.net', 'daum.net'],
  ['four letters, two swapped under .com', 'adum.com', null],
  ['five letters, two swapped under .com', 'awlla.com', 'walla.com'],
  ['six letters, one doubled', 'vvipmail.hu', null],
  ['a suffix with an error, of a provider of weight 40', 'bigpond.co', 'bigpond.com'],
  ['a word near .net', 'flash.ne', null],
  ['a word near .com', 'sky.cm', null],
  ['a short label near .com', 'me.cm', null],
  ['a small provider near .com', 'ttmail.cm', null],
  ['a long label with a real suffix', 'optusnet.com', 'optusnet.com.au'],
  ['a label with a real suffix', 'globe.com', null],
  ['a label with an error and a real suffix', 'msnn.cm', null],
  ['.uk typed for .co.uk of a small provider', 'googlemail.uk', null],
  ['a sole suffix, for one that does not exist', 'gmx.zz', null],
  ['a sole suffix, for one that exists', 'bol.co.uk', null],
  ['a sole suffix, for one that is sold worldwide', 'gmail.io', null],
  ['a label without a suffix', 'inet', null],
];

describe('thresholds of suggestions', () => {
  for (const [threshold, typed, meant] of CASES) {
    it(`${threshold}: ${typed} → ${meant ?? 'nothing'}`, () => {
      assert.equal(suggestDomain(typed, lists)?.domain ?? null, meant);
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
