/** Examples of email validation. A test sends each request to the service and compares its response. */
import type { Static } from 'typebox';
import type { emailResult } from '../email-result.ts';

const TYPO: Static<typeof emailResult> = {
  email: 'ann@gmail.con',
  valid: false,
  disposable: false,
  mx_found: false,
  format_valid: true,
  did_you_mean: 'ann@gmail.com',
  domain: 'gmail.con',
  free_provider: false,
};

const DISPOSABLE: Static<typeof emailResult> = {
  email: 'bob@mailinator.com',
  valid: true,
  disposable: true,
  mx_found: true,
  format_valid: true,
  did_you_mean: null,
  domain: 'mailinator.com',
  free_provider: false,
};

const DETAILED: Static<typeof emailResult> = {
  email: 'ann.lee+news@gmail.com',
  valid: true,
  disposable: false,
  mx_found: true,
  format_valid: true,
  did_you_mean: null,
  domain: 'gmail.com',
  free_provider: true,
  details: {
    verdict: 'deliverable',
    reasons: [],
    score: 1,
    mx_status: 'found',
    reason: 'ok',
    normalized: 'annlee@gmail.com',
    local_part: 'ann.lee',
    sub_address: 'news',
    role: false,
    relay: false,
    parked: false,
    disposable_evidence: [
      { source: 'provider_directory', says: 'not_disposable', date: null },
      { source: 'disposable/disposable-email-domains', says: 'disposable', date: '2018-06' },
      { source: 'amieiro/disposable-email-domains', says: 'not_disposable', date: '2020-07' },
      { source: 'disposable/disposable-email-domains', says: 'not_disposable', date: '2022-04' },
    ],
    provider: 'Gmail',
    mx_records: [
      { exchange: 'gmail-smtp-in.l.google.com', priority: 5 },
      { exchange: 'alt1.gmail-smtp-in.l.google.com', priority: 10 },
    ],
    spf: { status: 'found', policy: 'redirect', record: 'v=spf1 redirect=_spf.google.com' },
    dmarc: {
      status: 'found',
      policy: 'none',
      subdomain_policy: 'quarantine',
      domain: 'gmail.com',
      record: 'v=DMARC1; p=none; sp=quarantine; rua=mailto:mailauth-reports@google.com',
    },
    suggestion_confidence: null,
  },
};

/** Responses; each summary has the query of its request. */
export const EMAIL_RESULTS = {
  typo: { summary: '?email=ann@gmail.con', value: TYPO },
  details: {
    summary: '?email=ann.lee%2Bnews@gmail.com&details=true&policies=true',
    value: DETAILED,
  },
};

const EMAILS = ['ann@gmail.con', 'bob@mailinator.com'];

/** Requests of a batch, by the names of their responses. */
export const EMAIL_BATCH_REQUESTS = {
  list: { summary: 'Two addresses', value: { emails: EMAILS } },
  unordered: {
    summary: 'Lines in the order of completion, with Accept: application/x-ndjson',
    value: { emails: EMAILS, order: false },
  },
};

export const EMAIL_BATCH_CSV = {
  list: { summary: 'Two addresses', value: `name,email\r\nAnn,${EMAILS[0]}\r\n"Bob, jr.",${EMAILS[1]}\r\n` },
};

export const EMAIL_BATCH_JSON_LINES = {
  list: { summary: 'Two addresses', value: `${JSON.stringify(EMAILS[0])}\n{"email":"${EMAILS[1]}"}\n` },
};

export const EMAIL_BATCH_RESULTS = {
  list: { summary: 'The results in order', value: { results: [TYPO, DISPOSABLE] } },
};

export const EMAIL_BATCH_LINES = {
  list: { summary: 'The results in order', value: formatLines([TYPO, DISPOSABLE]) },
  unordered: {
    summary: 'The results in the order of completion',
    value: formatLines([
      { index: 1, ...DISPOSABLE },
      { index: 0, ...TYPO },
    ]),
  },
};

/** Formats values as NDJSON. */
export function formatLines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
