/** The syntax vectors through the API: what the parser says is what the caller gets. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { startApp } from '../support/start-app.ts';

const rows = readFileSync(new URL('../vectors/email-syntax.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#') && !line.includes('AMBIGUOUS'))
  .map((line) => {
    const [address = '', valid] = line.split('\t');
    return { email: JSON.parse(address) as string, formatValid: valid === 'true' };
  });

it('every row of the syntax vectors has its format_valid, one by one and as a batch', async () => {
  await using service = await startApp();
  const key = await service.createKey();
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ emails: rows.map(({ email }) => email), check_mx: false, suggest: false });
  const batch = await service.call('/v1/email/validate/batch', key, { method: 'POST', body, headers });
  const { results } = (await batch.json()) as { results: { format_valid: boolean }[] };
  assert.equal(results.length, rows.length);
  const wrong: string[] = [];
  for (const [index, { email, formatValid }] of rows.entries()) {
    if (results[index]?.format_valid !== formatValid) wrong.push(`batch ${JSON.stringify(email)}`);
    // A lone surrogate has no percent-encoding, and blanks alone are invalid_email.
    if (!email.isWellFormed() || email.trim() === '' || email.endsWith('+')) continue;
    const answer = await service.call(
      `/v1/email/validate?check_mx=0&suggest=0&email=${encodeURIComponent(email)}`,
      key,
    );
    const result = (await answer.json()) as { format_valid?: boolean };
    if (result.format_valid !== formatValid) wrong.push(`single ${JSON.stringify(email)} ${answer.status}`);
  }
  assert.deepEqual(wrong, []);
});
