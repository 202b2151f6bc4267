import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createKeySecret, isKeySecret } from './api-key.ts';
import { createRandomText } from '../random-text.ts';

it('a secret is ua_live_ and 38 letters or digits, of which the last six are a checksum', () => {
  for (let round = 0; round < 1_000; round++) {
    const secret = createKeySecret();
    assert.match(secret, /^ua_live_[0-9A-Za-z]{38}$/);
    assert.ok(isKeySecret(secret));
  }
});

it('a secret with one changed character is malformed', () => {
  const secret = createKeySecret();
  for (let at = 0; at < secret.length; at++) {
    const other = secret[at] === 'x' ? 'y' : 'x';
    assert.ok(!isKeySecret(secret.slice(0, at) + other + secret.slice(at + 1)), `character ${at}`);
  }
});

it('other texts are malformed', () => {
  for (const junk of ['', 'ua_live_', 'x'.repeat(100_000), `${createKeySecret()}\n`, ` ${createKeySecret()}`])
    assert.ok(!isKeySecret(junk));
});

it('every character of base62 is equally likely', () => {
  const counts = new Map<string, number>();
  const length = 620_000;
  for (const letter of createRandomText(length)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  assert.equal(counts.size, 62);
  // Six standard deviations of a binomial around 10,000: 99.2 each.
  for (const [letter, count] of counts) assert.ok(Math.abs(count - length / 62) < 600, `${letter}: ${count}`);
});
