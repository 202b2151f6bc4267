import { hash } from 'node:crypto';
import type { GetMetadataRequest } from '../metadata-request.ts';

/**
 * Returns the key of a request's result, in the cache and among the fetches in flight: a hash of the client,
 * the URL and every option that the result depends on. Each client has results of its own, so that none
 * learns what another one fetched.
 */
export function computeRequestKey(client: string, url: URL, request: GetMetadataRequest): string {
  // An option that is not named here is part of the key: a new one cannot be forgotten.
  const { url: _url, timeoutMs: _timeoutMs, maxAgeSeconds: _maxAgeSeconds, ...options } = request;
  const named = Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify([client, url.href, named]), 'base64url');
}
