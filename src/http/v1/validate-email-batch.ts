import type { CompletedReport, EmailReport } from '#email';
import type { ShareHolder } from '#limits';
import { Type } from 'typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorResponses } from '../error-responses.ts';
import {
  EMAIL_BATCH_CSV,
  EMAIL_BATCH_JSON_LINES,
  EMAIL_BATCH_LINES,
  EMAIL_BATCH_REQUESTS,
  EMAIL_BATCH_RESULTS,
} from './examples/email.ts';
import { VALIDATE_EMAIL_BATCH_ERRORS } from './examples/errors.ts';
import { requireCaller } from './admit-request.ts';
import { createQueryParser, refuseQuery } from '../query.ts';
import { ndjson, okHeaders, strict } from '../schema.ts';
import {
  BATCH_BODIES,
  BATCH_BODY,
  EMAIL_BATCH_OPTIONS,
  type EmailBatch,
  MAX_EMAILS,
  checkAcceptsLines,
  checkBatchSize,
  setOptions,
} from './batch-body.ts';
import { hasLongText, sendLines, serializeInSlices } from './payload-slices.ts';
import { createQuerySchema, describeMembers } from './operation-options.ts';
import { getMediaType } from '../wire/body.ts';
import type { ReadJson } from '../wire/json/read-body.ts';
import { emailMembers, emailResult, formatEmailResult } from './email-result.ts';

/** A report; with the index of its request if the batch is not ordered. */
type BatchReport = EmailReport | CompletedReport;

/** Yields the reports of a batch as they complete, in the order of the requests if the batch is ordered. */
export type ValidateEmails = (
  batch: EmailBatch,
  caller: ShareHolder,
  signal: AbortSignal,
) => AsyncIterable<BatchReport>;

/** The dependencies of both batches. */
export interface BatchDeps {
  /** Counts `cost` requests against the caller's limit, all or none. Rejects with `rate_limit_exceeded`. */
  consumeUnits: (request: FastifyRequest, reply: FastifyReply, cost: number) => Promise<void>;
  readJson: ReadJson;
}

const bodyMembers = {
  emails: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: MAX_EMAILS,
    description: 'The addresses to validate. Each counts as one request.',
    examples: [['ann@gmail.con', 'bob@mailinator.com']],
  }),
  ...describeMembers(EMAIL_BATCH_OPTIONS),
};

const body = strict(bodyMembers, { title: 'EmailBatchRequest' });

const batchResult = strict(
  { results: Type.Array(emailResult, { description: 'The results, in the order of the addresses.' }) },
  { title: 'EmailBatchResult' },
);

const batchLine = strict(
  {
    index: Type.Optional(
      Type.Integer({ description: 'The place of the address in emails, from 0; only with order=false.' }),
    ),
    ...emailMembers,
  },
  { title: 'EmailBatchLine', description: 'A line of application/x-ndjson.' },
);
const lines = ndjson(
  batchLine,
  'One email validation result per line, in the order of the addresses; with order=false as they complete, each with index.',
);

/** The options of a body of lines; a JSON body has them as members. */
const query = createQuerySchema({}, EMAIL_BATCH_OPTIONS);
const parseQuery = createQueryParser(query);

const csv = {
  type: 'string',
  contentMediaType: 'text/csv',
  description:
    'One column of addresses, or a first line of names with email (RFC 4180, UTF-8). The options are in the query.',
};
const jsonLines = ndjson(
  Type.Unsafe({ description: 'A string, or an object with the string email.' }),
  'One address per line: a string, or an object with the member email. The options are in the query.',
);

/** Adds POST /v1/email/validate/batch. */
export function routeValidateEmailBatch(
  scope: FastifyInstance,
  { validateEmails, consumeUnits, readJson }: BatchDeps & { validateEmails: ValidateEmails },
): void {
  scope.post('/email/validate/batch', {
    bodyLimit: BATCH_BODY.maxBytes,
    config: {
      operation: 'validateEmail',
      countsItself: true,
      mediaTypes: [...BATCH_BODIES.keys()],
    },
    schema: {
      operationId: 'validateEmailBatch',
      summary: 'Validate many email addresses',
      description:
        'Validates up to 1,000 addresses and returns the results in their order. Each counts as one request against the limit, all or none. The body is JSON, or CSV or NDJSON with the options in the query. With `Accept: application/x-ndjson` the results are streamed, one per line, each as soon as it and all before it are known, or with `order: false` as soon as it is known.',
      tags: ['email'],
      querystring: query,
      body: {
        content: {
          'application/json': { schema: { ...body, 'x-examples': EMAIL_BATCH_REQUESTS } },
          'text/csv': { schema: { ...csv, 'x-examples': EMAIL_BATCH_CSV } },
          'application/x-ndjson': { schema: { ...jsonLines, 'x-examples': EMAIL_BATCH_JSON_LINES } },
        },
      },
      response: {
        200: {
          description: 'The results, in the order of the addresses.',
          headers: okHeaders,
          content: {
            'application/json': { schema: batchResult, examples: EMAIL_BATCH_RESULTS },
            'application/x-ndjson': { schema: lines, examples: EMAIL_BATCH_LINES },
          },
        },
        ...errorResponses(VALIDATE_EMAIL_BATCH_ERRORS),
      },
    },
    handler: async (request, reply) => {
      const hold = scope.holds.hold('emailRequests', request, reply);
      const format = BATCH_BODIES.get(getMediaType(request)) ?? BATCH_BODY;
      const read = await readJson(request, reply, format, hold);
      const target = request.raw.url ?? '';
      if (format === BATCH_BODY) refuseQuery(target);
      const batch = format === BATCH_BODY ? read : setOptions(read, parseQuery(target));
      const { requests, isOrdered } = batch;
      checkBatchSize('emails', 'addresses', requests.length, request);
      const isLines = checkAcceptsLines(request, isOrdered);
      await consumeUnits(request, reply, requests.length);
      const reports = validateEmails(batch, requireCaller(request), hold.signal);
      if (isLines) return sendLines(reply, formatLines(reports));
      const results = await serializeResults(reports);
      // The results are held in place of the body until a slow client has read them.
      hold.setBytes(results.length);
      return reply.header('content-type', 'application/json; charset=utf-8').send(results);
    },
  });
}

/** Serializes the results as they complete: all of them in one turn would block the event loop. */
async function serializeResults(reports: AsyncIterable<BatchReport>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let separator = '{"results":[';
  for await (const report of reports) {
    for await (const piece of serializeReport(report, separator)) parts.push(Buffer.from(piece));
    separator = ',';
  }
  parts.push(Buffer.from(']}'));
  return Buffer.concat(parts);
}

async function* formatLines(reports: AsyncIterable<BatchReport>): AsyncGenerator<string> {
  for await (const report of reports) yield* serializeReport(report, '', '\n');
}

/** Yields the JSON of a result: in one piece, unless the address is a long text. */
async function* serializeReport(report: BatchReport, before = '', after = ''): AsyncGenerator<string> {
  const place = 'index' in report ? { index: report.index } : {};
  const result = { ...place, ...formatEmailResult(report) };
  if (!hasLongText(result)) {
    yield `${before}${JSON.stringify(result)}${after}`;
    return;
  }
  yield before;
  yield* serializeInSlices(result);
  yield after;
}
