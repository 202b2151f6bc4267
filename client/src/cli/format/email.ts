/** The result of an email validation for people: the verdict, its reasons, the suggestion. */
import type { EmailDetails, EmailResult } from '../../index.ts';
import { toPlainText } from '../plain-text.ts';
import type { Color, Style } from '../style.ts';
import { formatFields } from './fields.ts';

const VERDICTS: Readonly<Record<string, readonly [mark: string, color: Color]>> = {
  deliverable: ['✓', 'green'],
  risky: ['!', 'yellow'],
  undeliverable: ['✗', 'red'],
  unknown: ['?', 'yellow'],
};

/** docs/reference/email.md has the table of reasons. */
const REASONS: Readonly<Record<string, string>> = {
  malformed: 'the syntax is wrong',
  impossible_domain: 'the domain cannot receive mail: it is reserved, or its top-level domain does not exist',
  no_mail: 'the domain accepts no mail',
  disposable: 'the address is at a disposable provider',
  parked: 'the domain is parked',
  provider_closed: 'the provider has closed its mailboxes',
  placeholder: 'the address was made up to fill a field, or starts with www.',
  typo: 'the address looks like a typo',
  paste_mark: 'the text has marks of pasting',
  suspected_disposable: 'one unproven source calls the domain disposable',
  no_mx: 'the domain has no MX records',
  dns_failed: 'DNS failed: try again later',
  not_checked: 'DNS was not queried',
  role: 'the address belongs to a function, not a person',
  relay: 'the address is an alias at a relay service',
};

/** Formats a result as lines. */
export function formatEmail(result: EmailResult, style: Style): string {
  const { details, email, valid } = result;
  const verdict = details?.verdict ?? (valid ? 'deliverable' : 'undeliverable');
  const [mark, color] = VERDICTS[verdict] ?? ['?', 'yellow'];
  const head = `${style(color, mark)} ${style('bold', toPlainText(email))} is ${style(color, toPlainText(verdict))}\n`;
  const reasons = (details?.reasons ?? [])
    .map((reason) => `  - ${describeReason(reason, details)}\n`)
    .join('');
  const suggestion = result.did_you_mean
    ? `  Did you mean ${style('cyan', toPlainText(result.did_you_mean))}?\n`
    : '';
  return head + reasons + suggestion + formatFields(listFacts(result), style);
}

function describeReason(reason: string, details: EmailDetails | undefined): string {
  const text = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;
  const fault = reason === 'malformed' && details ? ` (${toPlainText(details.reason)})` : '';
  return (text ?? toPlainText(reason)) + fault;
}

function listFacts({ details, domain, email, free_provider }: EmailResult) {
  if (!details) return [];
  const [best, ...others] = details.mx_records;
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  return [
    ['Score', details.score],
    ['Domain', free_provider ? `${domain} (free provider)` : domain],
    ['Mail host', best && `${best.exchange}${more}`],
    ['Provider', details.provider],
    ['Mailbox', details.normalized === email ? null : details.normalized],
    ['SPF', details.spf && joinPolicy(details.spf)],
    ['DMARC', details.dmarc && joinPolicy(details.dmarc)],
  ] as const;
}

function joinPolicy({ status, policy }: { status: string; policy: string | null }): string {
  return policy === null ? status : `${status}, ${policy}`;
}
