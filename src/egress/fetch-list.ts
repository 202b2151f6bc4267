import { createByteBuffer } from './http/byte-buffer.ts';
import { openDeadline, type Deadline } from './concurrency/deadline.ts';
import { MAX_REDIRECTS, redirectRefusal } from './http/redirect.ts';
import { Refusal } from './guard/refusal.ts';
import { ResponseHop, type HopOutcome } from './http/response-hop.ts';
import { sendHop, type Door } from './http/send.ts';

const TIMEOUT_MS = 60_000;
/** The service itself, beside the accounts that ask for pages and documents. */
const CLIENT = 'service';

export interface FetchListOptions {
  /** The ETag of the copy at hand, to be told that nothing changed. */
  etag: string | null;
  maxBytes: number;
}

/** A list as text, or the news that the copy at hand is still right. */
export type FetchedList = { status: 'fresh'; text: string; etag: string | null } | { status: 'not_modified' };

/** Fetches a text file over the guard. Rejects where it cannot be had whole, in UTF-8, within `maxBytes` and a minute. */
export type FetchList = (
  url: string,
  options: FetchListOptions,
  signal?: AbortSignal,
) => Promise<FetchedList>;

/** Makes the fetcher of lists that the service keeps up to date. */
export function createFetchList({ door, userAgent }: { door: Door; userAgent: string }): FetchList {
  const fetchHop = (
    url: URL,
    { etag, maxBytes }: FetchListOptions,
    body: (chunk: Uint8Array) => void,
    { signal, abort }: Deadline,
  ) =>
    new Promise<HopOutcome>((settle, fail) => {
      const reader = {
        start: () => true,
        write(chunk: Uint8Array) {
          body(chunk);
          return true;
        },
      };
      const hop = new ResponseHop({
        url,
        followRedirects: true,
        redirects: [],
        reader,
        maxDecodedBytes: maxBytes,
        settle,
        fail,
      });
      const headers = [
        'user-agent',
        userAgent,
        'accept',
        'text/plain,*/*;q=0.5',
        'accept-encoding',
        'gzip, deflate, br, zstd',
      ];
      if (etag !== null) headers.push('if-none-match', etag);
      void sendHop(
        door,
        {
          client: CLIENT,
          abort,
          url,
          method: 'GET',
          headers,
          partition: 'lists',
          maxWireBytes: maxBytes * 2 + 256 * 1024,
        },
        hop,
        signal,
      );
    });

  const walk = async (first: URL, options: FetchListOptions, deadline: Deadline): Promise<FetchedList> => {
    let url = first;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const body = createByteBuffer();
      const outcome = await fetchHop(url, options, (chunk) => body.append(chunk), deadline);
      if (outcome.kind === 'redirect') {
        url = outcome.location;
        continue;
      }
      const { status, headers } = outcome.head;
      if (status === 304 && options.etag !== null) return { status: 'not_modified' };
      if (status !== 200) throw new Refusal(`the list answered ${status}`);
      if (outcome.end !== 'complete') throw new Refusal(`the list ended early (${outcome.end})`);
      const text = new TextDecoder('utf-8', { fatal: true }).decode(body.read());
      return { status: 'fresh', text, etag: headers.get('etag') ?? null };
    }
    throw redirectRefusal('too many');
  };

  return async (url, options, signal) => {
    const deadline = openDeadline(TIMEOUT_MS, signal);
    try {
      return await walk(new URL(url), options, deadline);
    } finally {
      deadline.close();
    }
  };
}
