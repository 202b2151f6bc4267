/** An email validation result: its schema and its form as JSON. */
import type { EmailDetails, EmailReport } from '#email';
import { type Static, Type } from 'typebox';
import { choice, nullable, nullableObject, strict } from '../schema.ts';

const policyStatus = choice(['found', 'none', 'invalid', 'unknown'], {
  description:
    'invalid: there is a record that receivers ignore, because it is malformed or one of several. unknown: DNS failed.',
});
const dmarcAction = (description: string) =>
  Type.Unsafe<'none' | 'quarantine' | 'reject' | null>({
    type: ['string', 'null'],
    enum: ['none', 'quarantine', 'reject', null],
    description,
  });

const spfResult = nullableObject(
  {
    status: policyStatus,
    policy: Type.Unsafe<NonNullable<EmailDetails['spf']>['policy']>({
      type: ['string', 'null'],
      enum: ['pass', 'fail', 'softfail', 'neutral', 'redirect', null],
      description:
        'The result for hosts that no mechanism before all matches; redirect: another domain decides.',
    }),
    record: nullable('string', 'The record as published.'),
  },
  {
    title: 'SpfResult',
    description: 'SPF of the domain (RFC 7208); null if it was not looked up.',
  },
);

const dmarcResult = nullableObject(
  {
    status: policyStatus,
    policy: dmarcAction('What the owner requests for failing mail (p).'),
    subdomain_policy: dmarcAction('The same for subdomains (sp); null if policy applies to them.'),
    domain: nullable('string', 'The domain that publishes the record, which applies to its subdomains too.'),
    record: nullable('string', 'The record as published.'),
  },
  {
    title: 'DmarcResult',
    description: 'DMARC of the domain (RFC 7489); null if it was not looked up.',
  },
);

const mxRecord = strict(
  {
    exchange: Type.String({ description: 'The name of the mail host.' }),
    priority: Type.Integer({ description: 'The preference: the lowest is tried first (RFC 5321 §5.1).' }),
  },
  { title: 'MxRecord' },
);

const disposableEvidence = strict(
  {
    source: Type.String({
      description:
        'The repository of the list, or what else it is: operator, fetched_list, mail_hosts, own_list, provider_directory …',
    }),
    says: choice(['disposable', 'not_disposable'], { description: 'What the source says of the domain.' }),
    date: nullable('string', 'The month in which it said so (YYYY-MM); null if it is not known.'),
  },
  { title: 'DisposableEvidence' },
);

const detailsMembers = {
  verdict: choice(['deliverable', 'risky', 'undeliverable', 'unknown'], {
    description:
      'The judgment of the address as a whole. It never depends on whether the mailbox exists, which cannot be known.',
  }),
  reasons: Type.Array(Type.String(), { description: 'The reasons of the verdict, worst first.' }),
  score: Type.Number({ description: 'From 0 (no mail arrives) to 1 (nothing is wrong).' }),
  mx_status: choice(['found', 'implicit', 'null_mx', 'none', 'unknown', 'not_checked'], {
    description:
      'Mail in the DNS of the domain: MX records, a public address without them (RFC 5321 §5.1), a null MX (RFC 7505), none, unknown because DNS failed, or not checked.',
  }),
  reason: Type.String({
    description:
      'The reason for the value of valid: ok, what is wrong, or dns_… if DNS failed (valid is then true).',
  }),
  normalized: nullable(
    'string',
    'One form for all addresses that reach the same mailbox, by the published rules of its provider.',
  ),
  local_part: nullable('string', 'The local part without its sub-address, as given.'),
  sub_address: nullable('string', 'The tag after the first + (RFC 5233); null without one.'),
  role: Type.Boolean({
    description: 'Whether the local part is a role (info, postmaster …) and not a person.',
  }),
  relay: Type.Boolean({ description: 'Whether the address is an alias at a relay service.' }),
  parked: Type.Boolean({ description: 'Whether the mail hosts of the domain belong to a parking service.' }),
  disposable_evidence: Type.Array(disposableEvidence, {
    description:
      'Who says that the domain, or a parent of it, is disposable, and who says that it is not; empty if nothing is known.',
  }),
  provider: nullable('string', 'The operator of the best MX host; null if it is not known.'),
  mx_records: Type.Unsafe<EmailDetails['mxRecords']>(
    Type.Array(mxRecord, { description: 'The MX records, best first.' }),
  ),
  spf: spfResult,
  dmarc: dmarcResult,
  suggestion_confidence: nullable(
    'number',
    'Confidence of did_you_mean, from 0 to 1; null without a suggestion.',
  ),
};

const detailsResult = strict(detailsMembers, {
  title: 'EmailDetails',
  description: 'Only with details=true.',
});

export const emailMembers = {
  email: Type.String({ description: 'The address that was validated, without outer white space.' }),
  valid: Type.Boolean({ description: 'Whether the address is considered valid.' }),
  disposable: Type.Boolean({ description: 'Whether the address uses a disposable provider.' }),
  mx_found: Type.Boolean({
    description: 'Whether MX records exist for the domain. Beside valid: false, none of them is usable.',
  }),
  format_valid: Type.Boolean({ description: 'Whether the address is syntactically correct.' }),
  did_you_mean: nullable('string', 'Suggested corrected address when a typo was detected; null otherwise.'),
  domain: Type.String({ description: 'The domain part of the address.' }),
  free_provider: Type.Boolean({ description: 'Whether the domain belongs to a free email provider.' }),
  details: Type.Optional(detailsResult),
};

export const emailResult = strict(emailMembers, {
  title: 'EmailResult',
  description: 'The email validation result.',
});

/** Formats a report as the contract names its members. */
export function formatEmailResult(report: EmailReport): Static<typeof emailResult> {
  const { details } = report;
  const result = {
    email: report.email,
    valid: report.valid,
    disposable: report.disposable,
    mx_found: report.mxFound,
    format_valid: report.formatValid,
    did_you_mean: report.didYouMean,
    domain: report.domain,
    free_provider: report.freeProvider,
  };
  return details ? { ...result, details: formatDetails(details) } : result;
}

function formatDetails(details: EmailDetails): Static<typeof detailsResult> {
  return {
    verdict: details.verdict,
    reasons: [...details.reasons],
    score: details.score,
    mx_status: details.mxStatus,
    reason: details.reason,
    normalized: details.normalized,
    local_part: details.localPart,
    sub_address: details.subAddress,
    role: details.role,
    relay: details.relay,
    parked: details.parked,
    disposable_evidence: [...details.disposableEvidence],
    provider: details.provider,
    mx_records: details.mxRecords,
    spf: details.spf,
    dmarc: formatDmarc(details.dmarc),
    suggestion_confidence: details.suggestionConfidence,
  };
}

function formatDmarc(dmarc: EmailDetails['dmarc']): Static<typeof dmarcResult> {
  if (dmarc === null) return null;
  const { status, policy, subdomainPolicy, domain, record } = dmarc;
  return { status, policy, subdomain_policy: subdomainPolicy, domain, record };
}
