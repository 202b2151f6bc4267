import type { EmailDetails, EmailReport, ValidateEmailRequest } from '#email';
import { ApiError } from '#errors';
import type { ShareHolder } from '#shares';
import { type Static, Type } from 'typebox';
import type { FastifyInstance } from 'fastify';
import { errorResponses } from '../error-responses.ts';
import { requireCaller } from './admit-request.ts';
import { createQueryParser } from '../query.ts';
import { nullable, okHeaders, strict } from '../schema.ts';

/** Answers at once where nothing has to be asked. */
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
});

const details = strict({
  mx_status: Type.Enum(['found', 'implicit', 'null_mx', 'none', 'unknown', 'not_checked'], {
    description:
      'What DNS says of mail for the domain: MX records, none but a public address (RFC 5321 §5.1), a null MX (RFC 7505), nothing, nobody could tell, or nobody asked.',
  }),
  reason: Type.String({
    description:
      'Why valid is what it is: ok, what is wrong, or (dns_…, which leaves valid true) why nobody could tell.',
  }),
  normalized: nullable(
    'string',
    'The mailbox behind the spelling: one form for all addresses that reach it, by the rules its provider publishes.',
  ),
  local_part: nullable('string', 'The local part without its sub-address, as given.'),
  sub_address: nullable('string', 'The tag after + (RFC 5233), or after the provider’s own separator.'),
  role: Type.Boolean({
    description: 'Whether the local part names a function (info, postmaster …) and not a person.',
  }),
  mx_records: Type.Array(strict({ exchange: Type.String(), priority: Type.Integer() })),
  suggestion_confidence: nullable(
    'number',
    'How sure did_you_mean is, from 0 to 1; null without a suggestion.',
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
    details: Type.Optional(details),
  },
  { additionalProperties: false },
);

/** With their defaults, no parameter is missing. */
type Query = Required<Static<typeof query>>;

const parseQuery = createQueryParser(query, {
  first: {
    name: 'email',
    check: (value) => {
      // Blanks may have been sent as + by a form encoder; a value of nothing else is blank.
      if (value === undefined || trimTrailingBlanks(value).trim() === '')
        throw new ApiError('invalid_email', undefined, { param: 'email' });
    },
  },
});

/** GET /v1/email/validate */
export function routeValidateEmail(scope: FastifyInstance, validateEmail: ValidateEmail): void {
  scope.get('/email/validate', {
    config: { operation: 'validateEmail' },
    schema: {
      operationId: 'validateEmail',
      summary: 'Validate an email address',
      description:
        'Checks syntax, MX records and disposable-provider membership, and suggests a correction for a likely typo. An address that is not one is an answer, not an error.',
      tags: ['email'],
      querystring: query,
      response: {
        200: { description: 'The email validation result.', headers: okHeaders, ...emailResult },
        ...errorResponses('invalid_email', 'invalid_parameter', 'overloaded'),
      },
    },
    // No promise where the answer is there: it would cost a twentieth of the request.
    handler: (request) => {
      const { email, check_mx, suggest, details } = parseQuery(request.raw.url ?? '') as Query;
      // Trailing + are blanks of form encoding; no domain ends in one.
      // Not ended when the caller hangs up: it takes 2.5 s at most, and what it finds is cached for the next.
      const report = validateEmail(
        { email: trimTrailingBlanks(email), checkMx: check_mx, suggest, details },
        requireCaller(request),
      );
      return report instanceof Promise ? report.then(writeEmailResult) : writeEmailResult(report);
    },
  });
}

/**
 * Without the blanks and + at its end; a loop, because a regex for it takes quadratic time on a run of + in
 * the middle.
 */
function trimTrailingBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '+' || text[end - 1] === ' ')) end -= 1;
  return text.slice(0, end);
}

/** The report as the contract spells it. */
export function writeEmailResult(report: EmailReport): object {
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
  return details ? { ...result, details: writeDetails(details) } : result;
}

function writeDetails(details: EmailDetails): object {
  return {
    mx_status: details.mxStatus,
    reason: details.reason,
    normalized: details.normalized,
    local_part: details.localPart,
    sub_address: details.subAddress,
    role: details.role,
    mx_records: details.mxRecords,
    suggestion_confidence: details.suggestionConfidence,
  };
}
