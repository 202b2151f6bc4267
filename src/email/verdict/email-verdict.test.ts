import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { computeEmailVerdict, VERDICT_REASONS, type VerdictReason } from './email-verdict.ts';

function judge(...applying: VerdictReason[]): unknown {
  const all = Object.keys(VERDICT_REASONS) as VerdictReason[];
  const applies = Object.fromEntries(all.map((reason) => [reason, applying.includes(reason)]));
  return computeEmailVerdict(applies as Record<VerdictReason, boolean>);
}

describe('the verdict', () => {
  for (const [reasons, verdict, score] of [
    [[], 'deliverable', 1],
    [['role'], 'deliverable', 0.8],
    [['role', 'relay'], 'deliverable', 0.72],
    [['disposable'], 'risky', 0.1],
    [['typo', 'role'], 'risky', 0.16],
    [['disposable', 'not_checked'], 'risky', 0.06],
    [['dns_failed'], 'unknown', 0.5],
    [['dns_failed', 'role'], 'unknown', 0.4],
    [['no_mail', 'typo'], 'undeliverable', 0],
    [['malformed'], 'undeliverable', 0],
  ] as [VerdictReason[], string, number][])
    it(`of ${reasons.join(' and ') || 'nothing wrong'} is ${verdict}, ${score}`, () => {
      assert.deepEqual(judge(...reasons), { verdict, reasons, score });
    });

  it('has its table in docs/reference/email.md', () => {
    const page = readFileSync(new URL('../../../docs/reference/email.md', import.meta.url), 'utf8');
    const rows = Object.entries(VERDICT_REASONS).map(
      ([reason, { verdict, score, sentence }]) =>
        `| \`${reason}\` | \`${verdict}\` | ${score} | ${sentence} |`,
    );
    const table = `| reason | verdict | score | meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
    assert.ok(page.includes(`\n\n${table}\n`), `docs/reference/email.md needs this table:\n${table}`);
  });
});
