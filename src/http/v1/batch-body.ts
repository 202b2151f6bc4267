import type { ValidateEmailRequest } from '#email';
import { ApiError } from '#errors';
import type { BodyFormat } from '../wire/json/body-format.ts';
import { formatName } from '../query.ts';

export const MAX_EMAILS = 1000;

export interface EmailBatch {
  requests: ValidateEmailRequest[];
  /** False if each report is sent as soon as it is done, with the index of its request. */
  isOrdered: boolean;
}

/** The body of POST /v1/email/validate/batch. */
export const BATCH_BODY: BodyFormat<EmailBatch> = {
  name: 'validateEmailBatch',
  // 1,000 addresses of the longest valid form, escaped, need less.
  maxBytes: 4 * 1024 * 1024,
  limits: {
    members: 1_000,
    // Up to these counts, a list that is too long or has wrong types is parsed and gets the error that says
    // so.
    byMember: { emails: { depth: 16, values: 10_000 } },
    others: { depth: 16, values: 1_000 },
    notObject: 'invalid_json',
  },
  parse: parseBatch,
  measure: ({ requests }) => requests.reduce((bytes, { email }) => bytes + email.length, 0),
};

function parseBatch({
  emails,
  check_mx,
  suggest,
  details,
  policies,
  order,
  ...unknown
}: Record<string, unknown>): EmailBatch {
  if (
    !Array.isArray(emails) ||
    emails.length === 0 ||
    emails.length > MAX_EMAILS ||
    !emails.every((email) => typeof email === 'string')
  )
    throw new ApiError('invalid_parameter', `emails must be an array of 1 to ${MAX_EMAILS} strings.`, {
      param: 'emails',
    });
  const [unknownName] = Object.keys(unknown);
  if (unknownName !== undefined)
    throw new ApiError(
      'invalid_parameter',
      `There is no member ${formatName(unknownName)} here: the members are emails, check_mx, suggest, details, policies, order.`,
      { param: formatName(unknownName) },
    );
  const options = {
    checkMx: parseFlag('check_mx', check_mx, true),
    suggest: parseFlag('suggest', suggest, true),
    details: parseFlag('details', details, false),
    policies: parseFlag('policies', policies, false),
  };
  checkPolicies(options.policies, options.details);
  return {
    requests: emails.map((email: string) => ({ email, ...options })),
    isOrdered: parseFlag('order', order, true),
  };
}

function parseFlag(name: string, value: unknown, fallback: boolean): boolean {
  if (value === undefined || value === null) return fallback;
  if (typeof value === 'boolean') return value;
  throw new ApiError('invalid_parameter', `${name} must be true or false.`, { param: name });
}

/** Throws `invalid_parameter` if policies are requested without the member that contains them. */
export function checkPolicies(policies: boolean, details: boolean): void {
  if (policies && !details)
    throw new ApiError('invalid_parameter', 'policies needs details: send details=true too.', {
      param: 'policies',
    });
}
