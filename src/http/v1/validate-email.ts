import { EMAIL_OPTIONS, type EmailReport, type ValidateEmailRequest } from '#email';
import { ApiError } from '#errors';
import type { ShareHolder } from '#limits';
import { Type } from 'typebox';
import type { FastifyInstance } from 'fastify';
import { errorResponses } from '../error-responses.ts';
import { EMAIL_RESULTS } from './examples/email.ts';
import { VALIDATE_EMAIL_ERRORS } from './examples/errors.ts';
import { requireCaller } from './admit-request.ts';
import { createQueryParser } from '../query.ts';
import { okHeaders } from '../schema.ts';
import { emailResult, formatEmailResult } from './email-result.ts';
import { createOptionMaker, createQuerySchema } from './operation-options.ts';

export type ValidateEmail = (request: ValidateEmailRequest, caller: ShareHolder) => Promise<EmailReport>;

const query = createQuerySchema(
  {
    email: Type.String({
      description: 'Address to validate, percent-encoded. A plus sign means a plus sign.',
      examples: ['ann@gmail.con'],
    }),
  },
  EMAIL_OPTIONS,
);
const makeOptions = createOptionMaker(EMAIL_OPTIONS);

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
        200: { headers: okHeaders, ...emailResult, 'x-examples': EMAIL_RESULTS },
        ...errorResponses(VALIDATE_EMAIL_ERRORS),
      },
    },
    handler: async (request) => {
      const { email, ...values } = parseQuery(request.raw.url ?? '') as Record<string, unknown>;
      // No domain ends in +: at the end it is a blank of form encoding. A lookup is not aborted when the
      // client disconnects: it takes 2.5 s at most, and its result is cached.
      const report = await validateEmail(
        { email: trimTrailingBlanks(email as string), ...makeOptions(values) },
        requireCaller(request),
      );
      return formatEmailResult(report);
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
