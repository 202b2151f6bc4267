import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findProvider, type ProviderMatch } from './find-provider.ts';
import { createTypedSuffix } from './suffix-channel.ts';
import { buildSuggestionIndex } from './suggestion-index.ts';

const NONE = { mailDomains: new Set<string>(), neighbors: new Set<string>() };

function find(
  providers: string[],
  label: string,
  text = 'com',
  { isReal = true, refusesMail = false } = {},
): ProviderMatch | null {
  const suffix = createTypedSuffix(text, isReal, isReal);
  return findProvider(buildSuggestionIndex(providers, [], NONE), { label, suffix, refusesMail });
}

function probability(...args: Parameters<typeof find>): number {
  return find(...args)?.probability ?? 0;
}

describe('the probability that a provider was meant', () => {
  it('rises with its share of addresses', () => {
    assert.ok(probability(['100 acmemail com'], 'acmemial') > probability(['1 acmemail com'], 'acmemial'));
  });

  it('rises with the rate of the error', () => {
    assert.ok(probability(['3 acmepost com'], 'acmepsot') > probability(['3 acmepost com'], 'acmepoat'));
  });

  it('falls with a second provider that is about as near', () => {
    assert.ok(probability(['9 venuspost com'], 'venupost') > 0.9);
    assert.ok(probability(['9 venuspost com', '9 venujpost com'], 'venupost') < 0.6);
  });

  it('falls if the typed name is short, or has common letters', () => {
    assert.ok(probability(['3 qzxv com'], 'qzxw') > probability(['3 lane com'], 'line'));
    assert.ok(probability(['3 acmepostal com'], 'acmepsotal') > probability(['3 post com'], 'psot'));
  });

  it('rises if the typed domain refuses mail, and if its suffix does not exist', () => {
    const providers = ['2 larapost com'];
    const typed = 'marapost';
    assert.ok(probability(providers, typed, 'com', { refusesMail: true }) > probability(providers, typed));
    assert.ok(probability(providers, typed, 'con', { isReal: false }) > probability(providers, typed));
    assert.ok(probability(['2 post com'], 'psot', 'con', { isReal: false }) > 0.99);
  });

  it('falls in a word, because other words are near', () => {
    assert.ok(probability(['5 ~planet nl'], 'plannet', 'nl') < probability(['5 planet nl'], 'plannet', 'nl'));
  });

  it('is none for a word under the country of others', () => {
    assert.equal(find(['160 hotpost ru'], 'hotpost', 'nz')?.domain, 'hotpost.ru');
    assert.equal(find(['160 ~hotpost ru'], 'hotpost', 'nz'), null);
  });

  it('is none if a broken suffix has no letter of one of several, or lacks most of the letters', () => {
    const broken = { isReal: false };
    assert.equal(find(['55 acme com cz'], 'acme', 'xx', broken), null);
    assert.equal(find(['55 acme cz'], 'acme', 'xx', broken)?.domain, 'acme.cz');
    assert.equal(find(['55 acme telepac.pt'], 'acme', 'tel', broken), null);
    assert.equal(find(['55 acme ne.jp'], 'acme', 'n', broken)?.domain, 'acme.ne.jp');
  });

  it('is that of the suffix that the provider has more often', () => {
    assert.equal(find(['900 acme com es'], 'acme', 'c', { isReal: false })?.domain, 'acme.com');
  });
});

it('only the common misspellings of a small provider are worth registering for their mail', () => {
  assert.equal(find(['25 earthlink net'], 'earthlnik', 'net')?.isWorthRegistering, true);
  assert.equal(find(['25 earthlink net'], 'earthalink', 'net')?.isWorthRegistering, false);
  assert.equal(find(['30 earthlink net'], 'earthalink', 'net')?.isWorthRegistering, true);
});
