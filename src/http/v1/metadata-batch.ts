import { checkRendering, type GetMetadataRequest } from '#metadata';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { errorResponses } from '../error-responses.ts';
import { GET_METADATA_BATCH_ERRORS } from './examples/errors.ts';
import {
  METADATA_BATCH_LINES,
  METADATA_BATCH_REQUESTS,
  METADATA_BATCH_RESULTS,
} from './examples/metadata.ts';
import { refuseQuery } from '../query.ts';
import { okHeaders } from '../schema.ts';
import { requireCaller } from './admit-request.ts';
import {
  METADATA_BATCH_BODY,
  checkAcceptsLines,
  checkBatchSize,
  parseMetadataBatchOptions,
} from './batch-body.ts';
import type { GetMetadata } from './get-metadata.ts';
import { type BatchAnswer, BatchAnswers } from './metadata-batch-answers.ts';
import { answerInTurn, type IndexedAnswer } from './metadata-batch-turns.ts';
import { metadataBatchLines, metadataBatchRequest, metadataBatchResult } from './metadata-batch-schema.ts';
import { WorkRecord } from './describe-request.ts';
import { sendLines } from './payload-slices.ts';
import type { RequestHold } from './request-holds.ts';
import type { BatchDeps } from './validate-email-batch.ts';

interface MetadataBatchDeps extends BatchDeps {
  getMetadata: GetMetadata;
  /** False if the operator has turned the rendering of pages off. */
  canRender: boolean;
  logger: FastifyBaseLogger;
  now: () => number;
}

/** Adds POST /v1/meta/batch. */
export function routeMetadataBatch(scope: FastifyInstance, deps: MetadataBatchDeps): void {
  scope.post('/meta/batch', {
    bodyLimit: METADATA_BATCH_BODY.maxBytes,
    config: { operation: 'getMetadata', countsItself: true },
    schema: {
      operationId: 'getMetadataBatch',
      summary: 'Read the metadata of many pages',
      description:
        'Fetches up to 100 URLs within 60 s and answers each like a single request: with its result or its error. Each counts as one request against the limit, all or none. At most 10 are fetched at once, and 2 of one host. With `Accept: application/x-ndjson` the results are streamed, one per line, each as soon as it and all before it are known, or with `order: false` as soon as it is known.',
      tags: ['metadata'],
      body: { ...metadataBatchRequest, 'x-examples': METADATA_BATCH_REQUESTS },
      response: {
        200: {
          description: 'The results and errors, in the order of the URLs.',
          headers: okHeaders,
          content: {
            'application/json': { schema: metadataBatchResult, examples: METADATA_BATCH_RESULTS },
            'application/x-ndjson': { schema: metadataBatchLines, examples: METADATA_BATCH_LINES },
          },
        },
        ...errorResponses(GET_METADATA_BATCH_ERRORS),
      },
    },
    handler: async (request, reply) => {
      const hold = scope.holds.hold('metadataRequests', request, reply);
      const { urls, options } = await deps.readJson(request, reply, METADATA_BATCH_BODY, hold);
      refuseQuery(request.raw.url ?? '');
      const { isOrdered, ...shared } = parseMetadataBatchOptions(options);
      checkRendering(shared.render, deps.canRender);
      checkBatchSize('urls', 'URLs', urls.length, request);
      const isLines = checkAcceptsLines(request, isOrdered);
      await deps.consumeUnits(request, reply, urls.length);
      const requests = urls.map((url): GetMetadataRequest => ({ url, ...shared }));
      let failedItems = 0;
      const onFailedItem = (): void => void (failedItems += 1);
      const answers = answerRequests(deps, request, { requests, isOrdered, hold, onFailedItem });
      if (isLines) return sendLines(reply, formatLines(answers));
      const parts = await formatResults(answers);
      request.work = new WorkRecord();
      request.work.failedItems = failedItems;
      return reply
        .header('content-type', 'application/json; charset=utf-8')
        .header(
          'content-length',
          parts.reduce((bytes, part) => bytes + part.length, 0),
        )
        .send(Readable.from(parts));
    },
  });
}

interface BatchWork {
  requests: readonly GetMetadataRequest[];
  isOrdered: boolean;
  hold: RequestHold;
  onFailedItem: () => void;
}

function answerRequests(
  { getMetadata, logger, now }: MetadataBatchDeps,
  request: FastifyRequest,
  { requests, isOrdered, hold, onFailedItem }: BatchWork,
): AsyncIterable<IndexedAnswer<BatchAnswer>> {
  const answers = new BatchAnswers({
    requests,
    caller: requireCaller(request),
    getMetadata,
    holdBytes: createByteHolder(
      hold,
      METADATA_BATCH_BODY.measure({ urls: requests.map(({ url }) => url), options: {} }),
    ),
    logger,
    requestId: request.id,
    now,
    onFailedItem,
  });
  return answerInTurn({
    // A name with a dot at its end is the same host.
    hosts: requests.map(({ url }) => URL.parse(url)?.hostname.replace(/\.$/, '') ?? null),
    answer: (index, signal) => answers.answer(index, signal),
    measure: ({ json }) => json.length,
    isOrdered,
    signal: hold.signal,
  });
}

/**
 * Returns a function that holds more bytes than the `heldBytes` of the request, and returns the function that
 * releases them. It throws ApiError if they are more than the account's share.
 */
function createByteHolder(hold: RequestHold, heldBytes: number): (bytes: number) => () => void {
  let held = heldBytes;
  return (bytes) => {
    hold.setBytes(held + bytes);
    held += bytes;
    return () => {
      held -= bytes;
      hold.setBytes(held);
    };
  };
}

/**
 * Returns the pieces of one JSON text with all results. They are held until a slow client has read them, and
 * are not joined: that would take as much memory again.
 */
async function formatResults(answers: AsyncIterable<IndexedAnswer<BatchAnswer>>): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  let separator = '{"results":[';
  for await (const { answer } of answers) {
    parts.push(Buffer.from(separator), answer.json);
    separator = ',';
  }
  parts.push(Buffer.from(']}'));
  return parts;
}

const NEWLINE = Buffer.from('\n');

/** Yields a line for each answer, and releases it when the reader requests the next one. */
async function* formatLines(answers: AsyncIterable<IndexedAnswer<BatchAnswer>>): AsyncGenerator<Buffer> {
  for await (const { answer } of answers) {
    yield Buffer.concat([answer.json, NEWLINE]);
    answer.release();
  }
}
