import type { ValidateEmailRequest } from '#email';
import { ApiError } from '#errors';
import type { BodyFormat } from '../wire/json/body-format.ts';
import { checkNeedsDetails, formatName } from '../query.ts';
import { limitList, parseTexts } from './batch-rules.ts';

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
  limits: limitList('emails', 10_000),
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
  const addresses = parseTexts('emails', emails, MAX_EMAILS);
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
  checkNeedsDetails({ policies: options.policies }, options.details);
  return {
    requests: addresses.map((email) => ({ email, ...options })),
    isOrdered: parseFlag('order', order, true),
  };
}

function parseFlag(name: string, value: unknown, fallback: boolean): boolean {
  if (value === undefined || value === null) return fallback;
  if (typeof value === 'boolean') return value;
  throw new ApiError('invalid_parameter', `${name} must be true or false.`, { param: name });
}
