import { hash } from 'node:crypto';
import type { GetMetadataRequest } from '../metadata-request.ts';

/** The URL is in the key as it was parsed. The result does not depend on the others. */
const LEFT_OUT: ReadonlySet<string> = new Set(['url', 'timeoutMs', 'maxAgeSeconds']);

/**
 * Returns the key of a request's result, in the cache and among the fetches in flight: a hash of the client,
 * the URL and every option that the result depends on. Each client has results of its own, so that none
 * learns what another one fetched.
 */
export function computeRequestKey(client: string, url: URL, request: GetMetadataRequest): string {
  const parts: unknown[] = [client, url.href];
  // An option that is not left out is part of the key: a new one cannot be forgotten.
  for (const name of Object.keys(request).sort() as (keyof GetMetadataRequest)[])
    if (!LEFT_OUT.has(name) && request[name] !== undefined) parts.push(name, request[name]);
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
