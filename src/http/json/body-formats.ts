import { BATCH_BODY } from '../routes/batch-body.ts';
import { PDF_BODY } from '../routes/pdf-body.ts';
import type { BodyFormat } from './body-format.ts';

/** The bodies that may be large enough to be parsed in the worker, by their names. */
export const BODY_FORMATS: ReadonlyMap<string, BodyFormat<unknown>> = new Map(
  [PDF_BODY, BATCH_BODY].map((format): [string, BodyFormat<unknown>] => [format.name, format]),
);
