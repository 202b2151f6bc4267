/** The worker thread that parses and validates large bodies, one after the other. */
import { parentPort } from 'node:worker_threads';
import { ApiError } from '#errors';
import { parseBody } from './body-format.ts';
import { BODY_FORMATS } from './body-formats.ts';
import type { ParseOutcome, ParseTask } from './parse-messages.ts';

function run({ format: name, bytes }: ParseTask): ParseOutcome {
  try {
    const format = BODY_FORMATS.get(name);
    if (!format) throw new TypeError(`there is no body format ${name}`);
    return { value: parseBody(format, bytes) };
  } catch (error) {
    if (!(error instanceof ApiError)) return { failure: String((error as Error | null)?.stack ?? error) };
    const { code, message, param, retryAfterSeconds } = error;
    return { fault: { code, message, param, retryAfterSeconds } };
  }
}

parentPort?.on('message', (task: ParseTask) => parentPort?.postMessage(run(task), []));
