import type { EmailDetails, EmailReport, ValidateEmailRequest } from '#email';
import { ApiError } from '#errors';
import type { ShareHolder } from '#shares';
import { type Static, Type } from 'typebox';
import type { FastifyInstance } from 'fastify';
import { errorResponses } from '../error-responses.ts';
import { requireCaller } from './admit-request.ts';
import { checkNeedsDetails, createQueryParser } from '../query.ts';
import { choice, nullable, nullableObject, okHeaders, strict } from '../schema.ts';

/** Returns the report at once if no DNS lookup is needed. */
export type ValidateEmail = (
  request: ValidateEmailRequest,
  caller: ShareHolder,
) => EmailReport | Promise<EmailReport>;

const query = strict({
  email: Type.String({ description: 'Address to validate, percent-encoded. A plus sign means a plus sign.' }),
  check_mx: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether to check MX records for the domain.' }),
  ),
  suggest: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether to suggest corrections for typos.' }),
  ),
  details: Type.Optional(Type.Boolean({ default: false, description: 'Whether to add the member details.' })),
  policies: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether to look up SPF and DMARC of the domain; only with details.',
    }),
  ),
});

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
  'SPF of the domain (RFC 7208); null if it was not looked up.',
);

const dmarcResult = nullableObject(
  {
    status: policyStatus,
    policy: dmarcAction('What the owner requests for failing mail (p).'),
    subdomain_policy: dmarcAction('The same for subdomains (sp); null if policy applies to them.'),
    domain: nullable('string', 'The domain that publishes the record, which applies to its subdomains too.'),
    record: nullable('string', 'The record as published.'),
  },
  'DMARC of the domain (RFC 7489); null if it was not looked up.',
);

const detailsResult = strict({
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
  provider: nullable('string', 'The operator of the best MX host; null if it is not known.'),
  mx_records: Type.Unsafe<EmailDetails['mxRecords']>(
    Type.Array(strict({ exchange: Type.String(), priority: Type.Integer() })),
  ),
  spf: spfResult,
  dmarc: dmarcResult,
  suggestion_confidence: nullable(
    'number',
    'Confidence of did_you_mean, from 0 to 1; null without a suggestion.',
  ),
});

export const emailResult = Type.Object(
  {
    email: Type.String({ description: 'The address that was validated, without outer white space.' }),
    valid: Type.Boolean({ description: 'Whether the address is considered valid.' }),
    disposable: Type.Boolean({ description: 'Whether the address uses a disposable provider.' }),
    mx_found: Type.Boolean({ description: 'Whether MX records exist for the domain.' }),
    format_valid: Type.Boolean({ description: 'Whether the address is syntactically correct.' }),
    did_you_mean: nullable('string', 'Suggested corrected address when a typo was detected; null otherwise.'),
    domain: Type.String({ description: 'The domain part of the address.' }),
    free_provider: Type.Boolean({ description: 'Whether the domain belongs to a free email provider.' }),
    details: Type.Optional(detailsResult),
  },
  { additionalProperties: false },
);

/** With their defaults, no parameter is missing. */
type Query = Required<Static<typeof query>>;

const parseQuery = createQueryParser(query, {
  first: {
    name: 'email',
    check: (value) => {
      if (value === undefined) throw refuseEmail('missing');
      // Form encoders send blanks as +: a value of + alone is blank.
      if (trimTrailingBlanks(value).trim() === '') throw refuseEmail('empty');
    },
  },
});

function refuseEmail(fault: 'missing' | 'empty'): ApiError {
  return new ApiError(
    'invalid_email',
    `The email parameter is ${fault}: send the address to validate as ?email=…, percent-encoded.`,
    { param: 'email' },
  );
}

/** Adds GET /v1/email/validate. */
export function routeValidateEmail(scope: FastifyInstance, validateEmail: ValidateEmail): void {
  scope.get('/email/validate', {
    config: { operation: 'validateEmail' },
    schema: {
      operationId: 'validateEmail',
      summary: 'Validate an email address',
      description:
        'Checks syntax, MX records and disposable-provider membership, and suggests a correction for a likely typo. A malformed address is a result, not an error.',
      tags: ['email'],
      querystring: query,
      response: {
        200: { description: 'The email validation result.', headers: okHeaders, ...emailResult },
        ...errorResponses('invalid_email', 'invalid_parameter', 'overloaded'),
      },
    },
    // No promise if the report is ready: a promise would add 5% to the time of the request.
    handler: (request) => {
      const { email, check_mx, suggest, details, policies } = parseQuery(request.raw.url ?? '') as Query;
      checkNeedsDetails({ policies }, details);
      // No domain ends in +: at the end it is a blank of form encoding. A lookup is not aborted when the
      // client disconnects: it takes 2.5 s at most, and its result is cached.
      const report = validateEmail(
        { email: trimTrailingBlanks(email), checkMx: check_mx, suggest, details, policies },
        requireCaller(request),
      );
      return report instanceof Promise ? report.then(formatEmailResult) : formatEmailResult(report);
    },
  });
}

/**
 * Removes blanks and + from the end. A regular expression would take quadratic time on many + in the middle.
 */
function trimTrailingBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '+' || text[end - 1] === ' ')) end -= 1;
  return text.slice(0, end);
}

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
