/** The judgment of an address as a whole. */
export type Verdict = 'deliverable' | 'risky' | 'undeliverable' | 'unknown';

interface ReasonRule {
  /** The verdict on an address with this reason alone. */
  verdict: Verdict;
  /** The scores of all reasons are multiplied. */
  score: number;
  sentence: string;
}

/** The reasons of a verdict, worst first. docs/reference/email.md has this table. */
export const VERDICT_REASONS = {
  malformed: { verdict: 'undeliverable', score: 0, sentence: 'The syntax is wrong.' },
  impossible_domain: {
    verdict: 'undeliverable',
    score: 0,
    sentence: 'The domain is reserved, has an unknown top-level domain, or is an address literal.',
  },
  no_mail: { verdict: 'undeliverable', score: 0, sentence: 'DNS proves that the domain accepts no mail.' },
  disposable: { verdict: 'risky', score: 0.1, sentence: 'The address is at a disposable provider.' },
  parked: { verdict: 'risky', score: 0.1, sentence: 'The mail hosts belong to a parking service.' },
  provider_closed: { verdict: 'risky', score: 0.1, sentence: 'The provider has closed its mailboxes.' },
  placeholder: {
    verdict: 'risky',
    score: 0.1,
    sentence: 'The address was made up to fill a field (`asdf@asdf.com`), or starts with `www.`.',
  },
  typo: { verdict: 'risky', score: 0.2, sentence: 'There is a suggestion (`did_you_mean`).' },
  paste_mark: {
    verdict: 'risky',
    score: 0.3,
    sentence: 'The text has marks of pasting: quotation marks, a bullet, a name, punctuation at its end.',
  },
  suspected_disposable: {
    verdict: 'risky',
    score: 0.5,
    sentence: 'One unproven source calls the domain disposable.',
  },
  no_mx: { verdict: 'risky', score: 0.5, sentence: 'The domain has a public address but no MX.' },
  dns_failed: { verdict: 'unknown', score: 0.5, sentence: 'DNS failed.' },
  not_checked: { verdict: 'unknown', score: 0.6, sentence: 'DNS was not queried (`check_mx=false`).' },
  role: { verdict: 'deliverable', score: 0.8, sentence: 'The local part names a function, not a person.' },
  relay: { verdict: 'deliverable', score: 0.9, sentence: 'The address is an alias at a relay service.' },
} as const satisfies Record<string, ReasonRule>;

export type VerdictReason = keyof typeof VERDICT_REASONS;

/** A verdict with its reasons, worst first, and a score from 0 (no mail arrives) to 1 (nothing is wrong). */
export interface EmailVerdict {
  verdict: Verdict;
  reasons: VerdictReason[];
  score: number;
}

/** A known risk decides before an unknown: an address at a disposable provider is risky without DNS too. */
const DECISIVE: readonly Verdict[] = ['undeliverable', 'risky', 'unknown'];

/** Computes the verdict of the reasons that apply. */
export function computeEmailVerdict(applies: Readonly<Record<VerdictReason, boolean>>): EmailVerdict {
  const reasons = (Object.keys(VERDICT_REASONS) as VerdictReason[]).filter((reason) => applies[reason]);
  const rules = reasons.map((reason): ReasonRule => VERDICT_REASONS[reason]);
  const score = rules.reduce((product, rule) => product * rule.score, 1);
  return {
    verdict: DECISIVE.find((verdict) => rules.some((rule) => rule.verdict === verdict)) ?? 'deliverable',
    reasons,
    score: Math.round(score * 100) / 100,
  };
}
