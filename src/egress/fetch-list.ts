import { type AbortHandle, openDeadline } from '#concurrency';
import { Refusal } from './guard/refusal.ts';
import { createByteBuffer } from './http/byte-budget.ts';
import { ACCEPT_ENCODING } from './http/content-decoding.ts';
import { fetchHop } from './http/fetch-hop.ts';
import { MAX_REDIRECTS, redirectRefusal } from './http/headers.ts';
import type { EgressContext, HopRequest } from './http/send.ts';

const TIMEOUT_MS = 60_000;
/** The key of the service itself. All other keys are ids of accounts. */
const CLIENT = 'service';
/** The bytes of heads and framing, in addition to the body. */
const WIRE_ALLOWANCE_BYTES = 256 * 1024;

export interface FetchListOptions {
  /** The ETag of the caller's copy, for a conditional request; null for an unconditional one. */
  etag: string | null;
  /** The maximum size of the decoded list. */
  maxBytes: number;
}

/** A list as text; `not_modified`: the caller's copy is current. */
export type FetchedList = { status: 'fresh'; text: string; etag: string | null } | { status: 'not_modified' };

/**
 * Fetches a text file through the guard. Rejects unless it is complete, UTF-8, within `maxBytes` and within a
 * minute.
 */
export type FetchList = (
  url: string,
  options: FetchListOptions,
  signal?: AbortSignal,
) => Promise<FetchedList>;

export interface ListFetcherOptions {
  context: EgressContext;
  /** The User-Agent header. */
  userAgent: string;
}

function buildRequest(
  url: URL,
  { etag, maxBytes }: FetchListOptions,
  userAgent: string,
  { abort }: AbortHandle,
): HopRequest {
  const headers = ['user-agent', userAgent, 'accept', 'text/plain,*/*;q=0.5'];
  headers.push(...ACCEPT_ENCODING);
  if (etag !== null) headers.push('if-none-match', etag);
  const maxWireBytes = maxBytes * 2 + WIRE_ALLOWANCE_BYTES;
  return { client: CLIENT, abort, url, method: 'GET', headers, partition: 'lists', maxWireBytes };
}

async function followList(
  first: URL,
  options: FetchListOptions,
  { context, userAgent }: ListFetcherOptions,
  deadline: AbortHandle,
): Promise<FetchedList> {
  let url = first;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    const body = createByteBuffer();
    const reader = {
      start: () => true,
      write(chunk: Uint8Array) {
        body.append(chunk);
        return true;
      },
    };
    const request = buildRequest(url, options, userAgent, deadline);
    const response = { followRedirects: true, redirects: [], reader, maxDecodedBytes: options.maxBytes };
    const outcome = await fetchHop(context, request, response, deadline.signal);
    if (outcome.kind === 'redirect') {
      url = outcome.location;
      continue;
    }
    const { status, headers } = outcome.head;
    if (status === 304 && options.etag !== null) return { status: 'not_modified' };
    if (status !== 200) throw new Refusal(`the list answered ${status}`);
    if (outcome.end !== 'complete') throw new Refusal(`the list ended early (${outcome.end})`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body.getBytes());
    return { status: 'fresh', text, etag: headers.get('etag') ?? null };
  }
  throw redirectRefusal('too many');
}

/** Creates the function that fetches the lists which the service keeps up to date. */
export function createFetchList(fetcher: ListFetcherOptions): FetchList {
  return async (url, options, signal) => {
    const deadline = openDeadline(TIMEOUT_MS, signal);
    try {
      return await followList(new URL(url), options, fetcher, deadline);
    } finally {
      deadline.close();
    }
  };
}
