/** The names of a logged request's parts. */
import type { LoggedRequest } from '../../api/types.ts';

/** Names of the phases of the work, in the order in which they happen. */
export const PHASE_NAMES: Readonly<Record<LoggedRequest['phases'][number]['phase'], string>> = {
  queue: 'Waiting',
  dns: 'DNS',
  connect: 'Connect and TLS',
  first_byte: 'First byte',
  body: 'Body',
  render: 'Render',
  load: 'Load',
  print: 'Print',
};

/** True if the request was one of many items. */
export function isBatch({ path }: LoggedRequest): boolean {
  return path?.endsWith('/batch') ?? false;
}
