import { createByteBuffer, type ByteBuffer } from './http/byte-buffer.ts';
import { onAbort } from './concurrency/abort-listeners.ts';
import { MAX_REDIRECTS } from './http/redirect.ts';
import { DeadlineExceeded } from './concurrency/deadline.ts';
import type { OpenResourceFetcher, Resource, ResourceBudget, ResourceRequest } from './http/resource.ts';
import { dropForRedirect, readRequestHeaders, readResponseHeaders } from './http/resource-headers.ts';
import { ResponseHop, type HopOutcome } from './http/response-hop.ts';
import { sendHop, type Door, type HopRequest } from './http/send.ts';
import { createTurns, waitForTurn, type Turns } from './concurrency/semaphore.ts';

/** Heads and framing, beside what the budget leaves for bodies. */
const WIRE_ALLOWANCE_BYTES = 256 * 1024;
/** What a page's fetch() may use (WHATWG Fetch forbids CONNECT, TRACE and TRACK). */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** As for pages (the url parameter of metadata). */
const MAX_URL_LENGTH = 4096;

/** What is left of a render's budget. */
interface BudgetState {
  client: string;
  /** Requests in flight; the others wait in the order of the document. */
  turns: Turns;
  bytesLeft: number;
  requestsLeft: number;
  signal: AbortSignal;
  partition: string;
}

export interface ResourceFetcherOptions {
  door: Door;
  /** The User-Agent header. */
  userAgent: string;
  /** Requests of one render in flight at a time, so that a render whose requests hang delays no other. */
  maxInFlightPerRender: number;
}

function openBudget(
  { maxBytes, maxRequests, timeoutMs }: ResourceBudget,
  client: string,
  partition: string,
  maxInFlight: number,
): BudgetState {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DeadlineExceeded(`${timeoutMs} ms`)), timeoutMs).unref();
  return {
    client,
    turns: createTurns(maxInFlight, maxRequests),
    bytesLeft: maxBytes,
    requestsLeft: maxRequests,
    signal: controller.signal,
    partition,
  };
}

function sendOnce(
  door: Door,
  request: HopRequest,
  body: ByteBuffer,
  budget: BudgetState,
  signal: AbortSignal,
) {
  return new Promise<HopOutcome>((settle, fail) => {
    const reader = {
      start: () => true,
      write(chunk: Uint8Array) {
        budget.bytesLeft -= chunk.length;
        if (budget.bytesLeft < 0) return false;
        body.append(chunk);
        return true;
      },
    };
    const hop = new ResponseHop({
      url: request.url,
      followRedirects: true,
      redirects: [],
      reader,
      maxDecodedBytes: budget.bytesLeft,
      settle,
      fail,
    });
    void sendHop(door, request, hop, signal);
  });
}

/** The request after a redirect (WHATWG Fetch, HTTP-redirect fetch): POST becomes GET but for 307 and 308. */
function redirect(
  request: ResourceRequest,
  headers: Map<string, string>,
  from: URL,
  to: URL,
  status: number,
): ResourceRequest {
  const isRewritten =
    (status === 303 && request.method !== 'HEAD') || (status < 303 && request.method === 'POST');
  dropForRedirect(headers, from.origin === to.origin, !isRewritten);
  if (!isRewritten) return request;
  return { url: request.url, method: 'GET', headers: request.headers };
}

/** A browser hands over what it parsed; blanks and control characters, which the URL standard would drop, mean that it did not. */
function parseResourceUrl(text: string): URL | null {
  if (text.length > MAX_URL_LENGTH || /[\u0000-\u0020\u007f-\u00a0]/.test(text)) return null;
  const url = URL.parse(text);
  if (url !== null) url.hash = '';
  return url;
}

/** The signal of one resource. */
interface AbortHandle {
  signal: AbortSignal;
  abort: (reason: unknown) => void;
  /** Stops listening to the signals that it was joined from. */
  close(): void;
}

function joinSignals(signals: readonly (AbortSignal | undefined)[]): AbortHandle {
  const controller = new AbortController();
  const abort = (reason: unknown) => controller.abort(reason);
  const stops = signals
    .filter((signal) => signal !== undefined)
    .map((signal) => {
      if (signal.aborted) abort(signal.reason);
      return onAbort(signal, () => abort(signal.reason));
    });
  return {
    signal: controller.signal,
    abort,
    close() {
      for (const stop of stops) stop();
    },
  };
}

/** One resource's way over redirects, on its render's budget. */
class ResourceWalk {
  readonly #options: ResourceFetcherOptions;
  readonly #budget: BudgetState;
  readonly #headers: Map<string, string>;
  #request: ResourceRequest;

  constructor(options: ResourceFetcherOptions, request: ResourceRequest, budget: BudgetState) {
    this.#options = options;
    this.#budget = budget;
    this.#request = { ...request, method: request.method.toUpperCase() };
    this.#headers = readRequestHeaders(request.headers);
  }

  async follow({ signal, abort }: AbortHandle): Promise<Resource | null> {
    let url = parseResourceUrl(this.#request.url);
    if (url === null || !METHODS.has(this.#request.method)) return null;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      this.#budget.requestsLeft -= 1;
      if (this.#budget.requestsLeft < 0 || this.#budget.bytesLeft <= 0) return null;
      const body = createByteBuffer();
      const outcome = await sendOnce(
        this.#options.door,
        this.#buildHop(url, abort),
        body,
        this.#budget,
        signal,
      );
      if (outcome.kind === 'answer') {
        if (outcome.end !== 'complete') return null;
        const { status } = outcome.head;
        return { url: url.href, status, headers: readResponseHeaders(outcome.headers), body: body.read() };
      }
      this.#request = redirect(this.#request, this.#headers, url, outcome.location, outcome.status);
      url = outcome.location;
    }
    return null;
  }

  #buildHop(url: URL, abort: AbortHandle['abort']): HopRequest {
    const { method, body } = this.#request;
    const own = ['user-agent', this.#options.userAgent, 'accept-encoding', 'gzip, deflate, br, zstd'];
    return {
      client: this.#budget.client,
      abort,
      url,
      method,
      headers: [...own, ...[...this.#headers].flat()],
      partition: this.#budget.partition,
      maxWireBytes: this.#budget.bytesLeft * 2 + WIRE_ALLOWANCE_BYTES,
      ...(body !== undefined && method !== 'GET' && method !== 'HEAD' ? { body } : {}),
    };
  }
}

/** Makes the opener of resource fetchers: one per render, with its budget, its deadline and its own connections; no cookies. */
export function createOpenResourceFetcher(options: ResourceFetcherOptions): OpenResourceFetcher {
  let renders = 0;
  return (limits, client) => {
    renders += 1;
    const budget = openBudget(limits, client, `render ${renders}`, options.maxInFlightPerRender);
    return async (request, signal) => {
      const joined = joinSignals([budget.signal, signal]);
      let endTurn = () => {};
      try {
        endTurn = await waitForTurn(budget.turns, joined.signal);
        return await new ResourceWalk(options, request, budget).follow(joined);
      } catch {
        return null;
      } finally {
        endTurn();
        joined.close();
      }
    };
  };
}
