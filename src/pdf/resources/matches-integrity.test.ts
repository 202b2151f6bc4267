import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { it } from 'node:test';
import { matchesIntegrity } from './matches-integrity.ts';

const BODY = Buffer.from('p{color:red}');
const [SHA256 = '', SHA384 = '', SHA512 = ''] = ['sha256', 'sha384', 'sha512'].map(
  (algorithm) => `${algorithm}-${hash(algorithm, BODY, 'base64')}`,
);
const OTHER_256 = `sha256-${hash('sha256', 'other', 'base64')}`;
const OTHER_512 = `sha512-${hash('sha512', 'other', 'base64')}`;

/** Each attribute with the verdict. */
const ROWS: [integrity: string, matches: boolean][] = [
  [SHA256, true],
  [`\n${SHA384} \t`, true],
  [`${OTHER_512} ${SHA512}`, true],
  [`${OTHER_256} ${SHA512}`, true],
  [`${SHA256} ${OTHER_512}`, false],
  [OTHER_256, false],
  [SHA256.slice(0, -1), false],
  [SHA256.toUpperCase(), false],
  [`${SHA256} sha-256-x`, false],
  [`${SHA256} ed25519-x`, false],
  ['sha256-x', false],
  // A browser passes over what it does not know.
  [`md5-x ${SHA256}`, true],
  [`md5-x ${OTHER_256}`, false],
  [`${SHA256}?x`, true],
  [' ', true],
  ['', true],
  ['none', true],
];

void it('a file matches the strongest hashes of an integrity attribute', () => {
  for (const [integrity, matches] of ROWS)
    assert.equal(matchesIntegrity(BODY, integrity), matches, JSON.stringify(integrity));
});
