/** A worker thread that parses and validates large bodies. */
import { serveJobs } from '#concurrency';
import { ApiError } from '#errors';
import { MCP_BODY } from '../../mcp/message-body.ts';
import { PDF_BODY } from '../../v1/pdf-body.ts';
import { type BodyFormat, type ParseOutcome, type ParseTask, parseBody } from './body-format.ts';

/**
 * Returns the format of a body that may be large enough to be parsed here. The modules of batches are loaded
 * with the first one: with them, a thread takes 200 ms of CPU time to start, without them 40.
 */
async function findFormat(name: string): Promise<BodyFormat<unknown>> {
  const known = [PDF_BODY, MCP_BODY].find((format) => format.name === name);
  if (known) return known;
  const { BATCH_BODIES, METADATA_BATCH_BODY } = await import('../../v1/batch-body.ts');
  const batch = [...BATCH_BODIES.values(), METADATA_BATCH_BODY].find((format) => format.name === name);
  if (batch) return batch;
  throw new TypeError(`there is no body format ${name}`);
}

async function parseTask({ format: name, bytes }: ParseTask): Promise<ParseOutcome> {
  const format = await findFormat(name);
  try {
    const value = parseBody(format, bytes);
    return { value, buffers: format.listBuffers?.(value) ?? [] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message, param, retryAfterSeconds } = error;
    return { fault: { code, message, param, retryAfterSeconds } };
  }
}

serveJobs(parseTask, (outcome) => ('value' in outcome ? outcome.buffers : []));
