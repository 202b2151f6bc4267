import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { loadDomainLists, validateEmail } from '#email';
import { parseAddress } from '../../src/email/address/parse-address.ts';

interface Row {
  address: string;
  expected: boolean;
  note: string;
}

const rows: Row[] = readFileSync(new URL('../vectors/email-syntax.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [address = '', expected, note = ''] = line.split('\t');
    return { address: JSON.parse(address) as string, expected: expected === 'true', note };
  })
  .filter(({ note }) => !note.startsWith('AMBIGUOUS'));

const deps = { lists: loadDomainLists(), lookupMail: () => assert.fail('queried DNS') };

describe('the syntax vectors', () => {
  it('have the expected result in the parser', () => {
    assert.ok(rows.length > 250);
    const wrong = rows.filter(
      ({ address, expected }) => (typeof parseAddress(address) === 'object') !== expected,
    );
    assert.deepEqual(wrong, []);
  });

  it('have the expected result in the operation', async () => {
    const wrong: Row[] = [];
    for (const row of rows) {
      const request = { email: row.address, checkMx: false, suggest: true, details: true };
      const report = await validateEmail(request, deps);
      if (report.formatValid !== row.expected) wrong.push(row);
    }
    assert.deepEqual(wrong, []);
  });
});
