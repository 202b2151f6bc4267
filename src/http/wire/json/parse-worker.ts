/** A worker thread that parses and validates large bodies. */
import { serveJobs } from '#concurrency';
import { ApiError } from '#errors';
import { MCP_BODY } from '../../mcp/message-body.ts';
import { BATCH_BODY, METADATA_BATCH_BODY } from '../../v1/batch-body.ts';
import { PDF_BODY } from '../../v1/pdf-body.ts';
import { type BodyFormat, type ParseOutcome, type ParseTask, parseBody } from './body-format.ts';

/** The bodies that may be large enough to be parsed here, by their names. */
const BODY_FORMATS: ReadonlyMap<string, BodyFormat<unknown>> = new Map(
  [PDF_BODY, BATCH_BODY, METADATA_BATCH_BODY, MCP_BODY].map((format): [string, BodyFormat<unknown>] => [
    format.name,
    format,
  ]),
);

function findFormat(name: string): BodyFormat<unknown> {
  const format = BODY_FORMATS.get(name);
  if (!format) throw new TypeError(`there is no body format ${name}`);
  return format;
}

function parseTask({ format: name, bytes }: ParseTask): ParseOutcome {
  const format = findFormat(name);
  try {
    const value = parseBody(format, bytes);
    return { value, buffers: format.listBuffers?.(value) ?? [] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message, param, retryAfterSeconds } = error;
    return { fault: { code, message, param, retryAfterSeconds } };
  }
}

serveJobs(
  async (task: ParseTask) => parseTask(task),
  (outcome) => ('value' in outcome ? outcome.buffers : []),
);
