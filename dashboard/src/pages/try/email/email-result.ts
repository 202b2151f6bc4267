/** A result of validateEmail in words. */
/** The members of the response that the page shows. */
export interface EmailResult {
  email: string;
  valid: boolean;
  disposable: boolean;
  mx_found: boolean;
  format_valid: boolean;
  did_you_mean: string | null;
  domain: string;
  free_provider: boolean;
  details?: EmailDetails;
}

interface EmailDetails {
  verdict: 'deliverable' | 'risky' | 'undeliverable' | 'unknown';
  reasons: string[];
  score: number;
  mx_status: 'found' | 'implicit' | 'null_mx' | 'none' | 'unknown' | 'not_checked';
  reason: string;
  role: boolean;
  relay: boolean;
  parked: boolean;
  disposable_evidence: { source: string; says: 'disposable' | 'not_disposable'; date: string | null }[];
  provider: string | null;
  suggestion_confidence: number | null;
}

/** Good, doubtful or bad news; undefined if it is neither. */
export type Tone = 'ok' | 'warn' | 'bad';

/** One line under the verdict, with the member of the response that it comes from. */
export interface Reason {
  text: string;
  field: string;
  tone?: Tone;
}

/** Describes the result in one line. */
export function describeVerdict(result: EmailResult): { text: string; tone: Tone } {
  const { valid, did_you_mean: suggestion, disposable, details } = result;
  if (!result.format_valid) return { text: 'Not an email address', tone: 'bad' };
  if (!valid)
    return suggestion === null
      ? { text: 'The domain accepts no mail', tone: 'bad' }
      : { text: 'Not deliverable, and probably a typo', tone: 'bad' };
  if (disposable) return { text: 'A disposable address', tone: 'warn' };
  if (suggestion !== null) return { text: 'Deliverable, but probably a typo', tone: 'warn' };
  if (details?.verdict === 'risky') return { text: 'Deliverable, but risky', tone: 'warn' };
  if (details?.verdict === 'unknown')
    return details.mx_status === 'not_checked'
      ? { text: 'The syntax is right; the domain was not checked', tone: 'warn' }
      : { text: 'Not known, because DNS failed', tone: 'warn' };
  if (!result.mx_found && !details)
    return { text: 'The syntax is right; no MX was found or checked', tone: 'warn' };
  return { text: 'Deliverable', tone: 'ok' };
}

/** Lists the findings, in the order in which they are checked. */
export function listReasons(result: EmailResult): Reason[] {
  const { details, format_valid: isWellFormed, did_you_mean: suggestion } = result;
  const reasons: Reason[] = [
    isWellFormed
      ? { text: 'The syntax is right', field: 'format_valid: true', tone: 'ok' }
      : { text: describeFault(details?.reason), field: 'format_valid: false', tone: 'bad' },
  ];
  if (isWellFormed) reasons.push(describeMail(result));
  if (suggestion !== null)
    reasons.push({
      text: suggestion.endsWith(`@${result.domain}`)
        ? 'The name before the @ has marks or dots that do not belong to it'
        : `${result.domain || result.email} is probably a misspelling`,
      field: `did_you_mean: ${suggestion}`,
      tone: 'warn',
    });
  if (!isWellFormed) return reasons;
  reasons.push(
    describeDisposable(result),
    result.free_provider
      ? { text: 'A free provider', field: 'free_provider: true' }
      : { text: 'Not a free provider', field: 'free_provider: false' },
  );
  return details ? [...reasons, ...listDetails(details)] : reasons;
}

function describeDisposable({ disposable, details }: EmailResult): Reason {
  const said = (details?.disposable_evidence ?? []).filter(({ says }) => says === 'disposable');
  const by = said.map(({ source, date }) => (date === null ? source : `${source} (${date})`));
  const names = by.length === 0 ? '' : `, by ${by.join(', ')}`;
  if (disposable) return { text: `A disposable provider${names}`, field: 'disposable: true', tone: 'warn' };
  if (details?.reasons.includes('suspected_disposable'))
    return {
      text: `Suspected to be a disposable provider${names}`,
      field: 'reasons: suspected_disposable',
      tone: 'warn',
    };
  return { text: 'Not a disposable provider', field: 'disposable: false', tone: 'ok' };
}

function listDetails(details: EmailDetails): Reason[] {
  const reasons: Reason[] = [
    details.role
      ? { text: 'A role such as info@, not a person', field: 'role: true', tone: 'warn' }
      : { text: 'A person, not a role such as info@', field: 'role: false' },
  ];
  if (details.relay) reasons.push({ text: 'An alias at a relay service', field: 'relay: true' });
  if (details.parked)
    reasons.push({
      text: 'The mail hosts belong to a parking service',
      field: 'parked: true',
      tone: 'warn',
    });
  if (details.reasons.includes('provider_closed'))
    reasons.push({
      text: 'The provider has closed its mailboxes',
      field: 'reasons: provider_closed',
      tone: 'warn',
    });
  if (details.reasons.includes('placeholder'))
    reasons.push({
      text: 'The address was made up to fill a field, or starts with www.',
      field: 'reasons: placeholder',
      tone: 'warn',
    });
  if (details.reasons.includes('paste_mark'))
    reasons.push({ text: 'The text has marks of pasting', field: 'reasons: paste_mark', tone: 'warn' });
  if (details.provider !== null)
    reasons.push({ text: `Mail is handled by ${details.provider}`, field: `provider: ${details.provider}` });
  return reasons;
}

const MAIL: Record<EmailDetails['mx_status'], { text: string; tone?: Tone }> = {
  found: { text: 'The domain accepts mail', tone: 'ok' },
  implicit: { text: 'The domain has an address but no MX', tone: 'warn' },
  null_mx: { text: 'The domain declares that it accepts no mail', tone: 'bad' },
  none: { text: 'The domain has no mail host', tone: 'bad' },
  unknown: { text: 'DNS failed: the mail hosts are not known', tone: 'warn' },
  not_checked: { text: 'The mail hosts were not checked' },
};

function describeMail({ details, mx_found: isFound, valid }: EmailResult): Reason {
  if (details) {
    const { mx_status: status, reason } = details;
    const isOther = !valid && status !== 'none' && status !== 'null_mx';
    return isOther
      ? { text: describeFault(reason), field: `reason: ${reason}`, tone: 'bad' }
      : { ...MAIL[status], field: `mx_status: ${status}` };
  }
  if (isFound && !valid)
    return { text: 'The domain has MX records, but none is usable', field: 'mx_found: true', tone: 'bad' };
  return isFound
    ? { text: 'The domain accepts mail', field: 'mx_found: true', tone: 'ok' }
    : { text: 'No MX was found or checked', field: 'mx_found: false', ...(!valid && { tone: 'bad' }) };
}

/** Describes the identifier of a fault: `local_part_too_long` → "Local part too long". */
function describeFault(reason: string | undefined): string {
  if (reason === undefined || reason === 'ok') return 'The syntax is wrong';
  const words = reason
    .replaceAll('_', ' ')
    .replace(/\btld\b/, 'top-level domain')
    .replace(/\b(?:mx|dns)\b/, (name) => name.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
