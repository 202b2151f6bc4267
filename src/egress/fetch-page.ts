import { PAGES } from './http/connection-limits.ts';
import { createCookieJar, type CookieJar } from './http/cookie-jar.ts';
import { openDeadline, type Deadline } from './concurrency/deadline.ts';
import { readHeaders, readHeaderValues, type RawHeaders } from './http/headers.ts';
import type {
  FetchedPage,
  FetchPage,
  FetchPageRequest,
  PageHop,
  PageReader,
  PageVisit,
} from './http/page.ts';
import { ResponseHop, ReaderError, type HopOutcome } from './http/response-hop.ts';
import { MAX_REDIRECTS, redirectRefusal } from './http/redirect.ts';
import { readFetchError } from './guard/refusal.ts';
import { sendHop, type Door } from './http/send.ts';

/** A page is read up to this many decoded bytes. */
const MAX_DECODED_BYTES = 2 * 1024 * 1024;
/** Compressed or not, framing included: 2 MiB of body in one-byte chunks fit. */
const MAX_WIRE_BYTES = 16 * 1024 * 1024;

export interface FetchPageOptions {
  door: Door;
  /** The User-Agent header: who asks, and where to complain. */
  userAgent: string;
  /** Milliseconds since the epoch, for cookies that expire. */
  now: () => number;
}

/** What `PageVisit.cookies` holds. */
interface VisitState {
  jar: CookieJar;
  /** URL and cookies of every request sent: the same twice is a circle. */
  sent: Set<string>;
}

function readVisitState(visit: PageVisit | undefined): VisitState {
  return (visit?.cookies as VisitState | undefined) ?? { jar: createCookieJar(), sent: new Set() };
}

function storeCookies(jar: CookieJar, url: URL, headers: RawHeaders, now: number): void {
  for (const value of readHeaderValues(headers, 'set-cookie')) jar.store(url, value.toString('latin1'), now);
}

/** Walks from the first URL to the one that answers, every hop judged anew. */
class PageWalk {
  readonly #options: FetchPageOptions;
  readonly #request: FetchPageRequest;
  readonly #reader: PageReader;
  readonly #state: VisitState;
  readonly #redirects: PageHop[];

  constructor(options: FetchPageOptions, request: FetchPageRequest, reader: PageReader) {
    this.#options = options;
    this.#request = request;
    this.#reader = reader;
    this.#state = readVisitState(request.visit);
    this.#redirects = [...(request.visit?.redirects ?? [])];
  }

  async follow(deadline: Deadline): Promise<FetchedPage> {
    let url = new URL(this.#request.url);
    url.hash = '';
    for (;;) {
      const outcome = await this.#hop(url, deadline);
      storeCookies(this.#state.jar, url, outcome.headers, this.#options.now());
      if (outcome.kind === 'answer') {
        const visit = { redirects: this.#redirects, cookies: this.#state };
        return { head: outcome.head, end: outcome.end, visit };
      }
      if (this.#redirects.length >= MAX_REDIRECTS) throw redirectRefusal('too many');
      const { status, headers } = outcome;
      this.#redirects.push({ url: url.href, status, headers: readHeaders(headers) });
      url = outcome.location;
    }
  }

  #hop(url: URL, { signal, abort }: Deadline): Promise<HopOutcome> {
    const cookie = this.#state.jar.findHeader(url);
    const request = `${url.href} ${cookie ?? ''}`;
    if (this.#state.sent.has(request)) throw redirectRefusal('loop');
    this.#state.sent.add(request);
    const headers = [
      'user-agent',
      this.#options.userAgent,
      'accept',
      'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5',
      'accept-encoding',
      'gzip, deflate, br, zstd',
    ];
    if (cookie !== null) headers.push('cookie', cookie);
    return new Promise((settle, fail) => {
      const { client, followRedirects } = this.#request;
      const hop = new ResponseHop({
        url,
        followRedirects,
        redirects: this.#redirects,
        reader: this.#reader,
        maxDecodedBytes: MAX_DECODED_BYTES,
        settle,
        fail,
      });
      void sendHop(
        this.#options.door,
        { client, abort, url, method: 'GET', headers, partition: PAGES, maxWireBytes: MAX_WIRE_BYTES },
        hop,
        signal,
      );
    });
  }
}

/** Makes the fetcher of pages: GET over the guard, redirects and cookies by hand, one deadline, decoded bytes to the reader. */
export function createFetchPage(options: FetchPageOptions): FetchPage {
  return async (request, reader, signal) => {
    const deadline = openDeadline(request.timeoutMs, signal);
    try {
      return await new PageWalk(options, request, reader).follow(deadline);
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      if (error instanceof ReaderError) throw error.cause;
      throw readFetchError(error, request.timeoutMs);
    } finally {
      deadline.close();
    }
  };
}
