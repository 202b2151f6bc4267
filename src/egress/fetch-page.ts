import { type AbortHandle, openDeadline } from '#concurrency';
import type {
  FetchedPage,
  FetchPage,
  FetchPageRequest,
  PageHop,
  PageReach,
  PageReader,
  PageVisit,
  UserAgentKind,
} from '#metadata';
import { findReach } from './guard/address-policy.ts';
import { toFetchError } from './guard/refusal.ts';
import { parseTarget } from './guard/vet-target.ts';
import { PAGES } from './http/connection-limits.ts';
import { createCookieJar, type CookieJar } from './http/cookie-jar.ts';
import { fetchHop } from './http/fetch-hop.ts';
import {
  MAX_REDIRECTS,
  type RawHeaders,
  findHeaderValues,
  parseHeaders,
  redirectRefusal,
} from './http/headers.ts';
import { buildPageHeaders } from './http/request-headers.ts';
import { ReaderError, type HopOutcome } from './http/response-hop.ts';
import { restrictContext, type EgressContext } from './http/send.ts';

const MAX_DECODED_BYTES = 2 * 1024 * 1024;
/** Framing included: 2 MiB of body in one-byte chunks fit. */
const MAX_WIRE_BYTES = 16 * 1024 * 1024;

export interface FetchPageOptions {
  context: EgressContext;
  userAgents: Record<UserAgentKind, string>;
  /** Milliseconds since the epoch, for cookies that expire. */
  now: () => number;
}

/** The content of `PageVisit.state`. */
interface VisitState {
  jar: CookieJar;
  /** URL and cookies of each request; a repeated one is a redirect loop. */
  sent: Set<string>;
  /** A public address has responded. */
  hasPublicHop: boolean;
}

function getVisitState(visit: PageVisit | undefined): VisitState {
  return (
    (visit?.state as VisitState | undefined) ?? {
      jar: createCookieJar(),
      sent: new Set(),
      hasPublicHop: false,
    }
  );
}

function storeCookies(jar: CookieJar, url: URL, headers: RawHeaders, now: number): void {
  for (const value of findHeaderValues(headers, 'set-cookie')) jar.store(url, value.toString('latin1'), now);
}

/** Follows redirects from the first URL to the response; the guard checks each hop. */
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
    this.#state = getVisitState(request.visit);
    this.#redirects = [...(request.visit?.redirects ?? [])];
  }

  async follow(deadline: AbortHandle): Promise<FetchedPage> {
    let url = new URL(this.#request.url);
    // It is never sent. The fragment of a Location replaces it (WHATWG Fetch).
    let fragment = url.hash;
    url.hash = '';
    for (;;) {
      const outcome = await this.#fetchHop(url, deadline);
      storeCookies(this.#state.jar, url, outcome.headers, this.#options.now());
      if (outcome.kind === 'answer') {
        const visit = { redirects: this.#redirects, state: this.#state };
        const { head, end, peer } = outcome;
        return { head, end, visit, reach: this.#recordReach(peer, url), fragment };
      }
      const { maxRedirects = MAX_REDIRECTS } = this.#request;
      if (this.#redirects.length >= maxRedirects) throw redirectRefusal('too many', maxRedirects);
      this.#recordReach(outcome.peer, url);
      const { status, headers } = outcome;
      this.#redirects.push({ url: url.href, status, headers: parseHeaders(headers) });
      url = outcome.location;
      fragment = outcome.fragment ?? fragment;
    }
  }

  /** Records whether a peer of the visit was public or unknown. Returns the reach of the page so far. */
  #recordReach(peer: string, url: URL): PageReach {
    const { port } = parseTarget(url);
    const reach = findReach(this.#options.context.policy, peer, port);
    if (reach === 'opened') return this.#state.hasPublicHop ? 'mixed' : 'opened';
    this.#state.hasPublicHop = true;
    return reach ?? 'mixed';
  }

  #fetchHop(url: URL, { signal, abort }: AbortHandle): Promise<HopOutcome> {
    const cookie = this.#state.jar.findHeader(url);
    const key = `${url.href} ${cookie ?? ''}`;
    if (this.#state.sent.has(key)) throw redirectRefusal('loop');
    this.#state.sent.add(key);
    const { userAgents } = this.#options;
    const context = restrictContext(this.#options.context, this.#request.reach);
    const headers = buildPageHeaders(url, this.#request, userAgents);
    if (cookie !== null) headers.push('cookie', cookie);
    const { client, followRedirects, startPhase } = this.#request;
    return fetchHop(
      context,
      {
        client,
        abort,
        url,
        method: 'GET',
        headers,
        partition: PAGES,
        maxWireBytes: MAX_WIRE_BYTES,
        startPhase,
      },
      {
        followRedirects,
        redirects: this.#redirects,
        reader: this.#reader,
        maxDecodedBytes: MAX_DECODED_BYTES,
      },
      signal,
    );
  }
}

/**
 * Creates the function that fetches pages: GET through the guard, with redirects, cookies and one deadline.
 * The reader receives decoded bytes.
 */
export function createFetchPage(options: FetchPageOptions): FetchPage {
  return async (request, reader, signal) => {
    const deadline = openDeadline(request.timeoutMs, signal);
    try {
      return await new PageWalk(options, request, reader).follow(deadline);
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      if (error instanceof ReaderError) throw error.cause;
      throw toFetchError(error, request.timeoutMs);
    } finally {
      deadline.close();
    }
  };
}
