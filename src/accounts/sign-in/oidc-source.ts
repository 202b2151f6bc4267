/** The request of a provider's response, for the callbacks of better-auth, which do not pass it on. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AuditSource } from '../access-store.ts';

const sources = new AsyncLocalStorage<AuditSource>();

/** Runs `work`: `getOidcSource` returns the source in all that it calls. */
export function withOidcSource<Result>(
  { requestId, ip }: AuditSource,
  work: () => Promise<Result>,
): Promise<Result> {
  return sources.run({ requestId, ip }, work);
}

/** Returns the source of the running response, for the audit trail. */
export function getOidcSource(): AuditSource {
  return sources.getStore() ?? { requestId: null, ip: null };
}
