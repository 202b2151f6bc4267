import { type AbortHandle, DeadlineExceeded, Semaphore, joinSignals } from '#concurrency';
import type {
  BudgetRest,
  OpenResourceFetcher,
  Resource,
  ResourceBudget,
  ResourceFailure,
  ResourceRequest,
} from '#browser';
import type { PageEnd } from '#metadata';
import { ApiError, type ErrorCode } from '#errors';
import { type ByteBuffer, createByteBuffer } from './http/byte-budget.ts';
import { ACCEPT_ENCODING } from './http/content-decoding.ts';
import { fetchHop } from './http/fetch-hop.ts';
import { MAX_REDIRECTS, redirectRefusal } from './http/headers.ts';
import { dropForRedirect, pickRequestHeaders, pickResponseHeaders } from './http/request-headers.ts';
import type { HopOutcome } from './http/response-hop.ts';
import { type EgressContext, type HopRequest, restrictContext } from './http/send.ts';
import { Refusal, describeFailure } from './guard/refusal.ts';

/** The bytes of heads and framing, in addition to what the budget leaves for bodies. */
const WIRE_ALLOWANCE_BYTES = 256 * 1024;
/** The methods of fetch() in a page (WHATWG Fetch forbids CONNECT, TRACE and TRACK). */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const READING_METHODS = new Set(['GET', 'HEAD']);
/** The same limit as for the url parameter of metadata. */
const MAX_URL_LENGTH = 4096;

/** The rest of a render's budget. */
interface BudgetState {
  limits: ResourceBudget;
  client: string;
  /** Bounds the requests in flight; the others wait in document order. */
  semaphore: Semaphore;
  left: BudgetRest;
  signal: AbortSignal;
  partition: string;
}

interface ResourceFetcherOptions {
  context: EgressContext;
  /** The User-Agent header. */
  userAgent: string;
  /**
   * Requests of one render in flight at a time, so that a render whose requests hang does not delay others.
   */
  maxInFlightPerRender: number;
}

function openBudget(
  limits: ResourceBudget,
  client: string,
  partition: string,
  maxInFlight: number,
): BudgetState {
  const { maxBytes, maxRequests, timeoutMs } = limits;
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DeadlineExceeded(`${timeoutMs} ms`)), timeoutMs).unref();
  return {
    limits,
    client,
    semaphore: new Semaphore(maxInFlight, maxRequests, {
      createError: () => RESOURCE_REFUSALS.requests(limits),
    }),
    left: limits.left ?? { bytes: maxBytes, requests: maxRequests },
    signal: controller.signal,
    partition,
  };
}

/**
 * Updates the request and its headers for a redirect (WHATWG Fetch): POST becomes GET, except for 307 and
 * 308.
 */
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

/**
 * Parses the URL of a resource, without its fragment; null if it is not valid. A browser sends parsed URLs,
 * so spaces and control characters, which the URL standard would remove, mean that this URL is not from a
 * browser.
 */
function parseResourceUrl(text: string): URL | null {
  if (text.length > MAX_URL_LENGTH || /[\u0000-\u0020\u007f-\u00a0]/.test(text)) return null;
  const url = URL.parse(text);
  if (url !== null) url.hash = '';
  return url;
}

/** Follows the redirects of one resource within the budget of its render. */
class ResourceWalk {
  readonly #options: ResourceFetcherOptions;
  readonly #budget: BudgetState;
  readonly #headers: Map<string, string>;
  #request: ResourceRequest;

  constructor(options: ResourceFetcherOptions, request: ResourceRequest, budget: BudgetState) {
    this.#options = options;
    this.#budget = budget;
    this.#request = { ...request, method: request.method.toUpperCase() };
    this.#headers = pickRequestHeaders(request.headers);
  }

  /** Throws what `fetchHop` rejects with, and Refusal if the budget or the request does not allow it. */
  async follow({ signal, abort }: AbortHandle): Promise<Resource> {
    const { limits } = this.#budget;
    let url = parseResourceUrl(this.#request.url);
    if (url === null) throw RESOURCE_REFUSALS.url();
    const methods = limits.isReadOnly === true ? READING_METHODS : METHODS;
    if (!methods.has(this.#request.method)) throw RESOURCE_REFUSALS.method();
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      this.#budget.left.requests -= 1;
      if (this.#budget.left.requests < 0) throw RESOURCE_REFUSALS.requests(limits);
      if (this.#budget.left.bytes <= 0) throw RESOURCE_REFUSALS.bytes(limits);
      const body = createByteBuffer();
      const outcome = await this.#fetchHop(this.#buildRequest(url, abort), body, signal);
      if (outcome.kind === 'answer') {
        if (outcome.end !== 'complete') throw this.#createIncompleteError(outcome.end, signal);
        const { status } = outcome.head;
        const headers = pickResponseHeaders(outcome.headers);
        return { url: url.href, status, headers, body: body.getBytes() };
      }
      this.#request = redirect(this.#request, this.#headers, url, outcome.location, outcome.status);
      url = outcome.location;
    }
    throw redirectRefusal('too many');
  }

  #createIncompleteError(end: Exclude<PageEnd, 'complete'>, signal: AbortSignal): unknown {
    if (end === 'timeout') return signal.reason;
    return end === 'cut' ? RESOURCE_REFUSALS.cut() : RESOURCE_REFUSALS.bytes(this.#budget.limits);
  }

  #fetchHop(request: HopRequest, body: ByteBuffer, signal: AbortSignal): Promise<HopOutcome> {
    const budget = this.#budget;
    const reader = {
      start: () => true,
      write(chunk: Uint8Array) {
        budget.left.bytes -= chunk.length;
        if (budget.left.bytes < 0) return false;
        body.append(chunk);
        return true;
      },
    };
    const response = {
      followRedirects: this.#request.followsRedirects ?? true,
      redirects: [],
      reader,
      maxDecodedBytes: budget.left.bytes,
    };
    return fetchHop(restrictContext(this.#options.context, budget.limits.reach), request, response, signal);
  }

  #buildRequest(url: URL, abort: AbortHandle['abort']): HopRequest {
    const { method, body } = this.#request;
    const { userAgent = this.#options.userAgent, language = null } = this.#budget.limits;
    const own = ['user-agent', userAgent, ...ACCEPT_ENCODING];
    if (language !== null) this.#headers.set('accept-language', language);
    return {
      client: this.#budget.client,
      abort,
      url,
      method,
      headers: [...own, ...[...this.#headers].flat()],
      partition: this.#budget.partition,
      maxWireBytes: this.#budget.left.bytes * 2 + WIRE_ALLOWANCE_BYTES,
      ...(body !== undefined && method !== 'GET' && method !== 'HEAD' ? { body } : {}),
    };
  }
}

/**
 * Creates the function that opens a resource fetcher for each render. A fetcher has its own budget, deadline
 * and connections, and sends no cookies.
 */
export function createOpenResourceFetcher(options: ResourceFetcherOptions): OpenResourceFetcher {
  let renders = 0;
  return (limits, client) => {
    renders += 1;
    const budget = openBudget(limits, client, `render ${renders}`, options.maxInFlightPerRender);
    return async (request, signal) => {
      const joined = joinSignals([budget.signal, signal]);
      let release = () => {};
      try {
        release = await budget.semaphore.acquire({ signal: joined.signal });
        return await new ResourceWalk(options, request, budget).follow(joined);
      } catch (error) {
        return toResourceFailure(error, joined.signal);
      } finally {
        release();
        joined.close();
      }
    };
  };
}

/** Errors of this process and of the account, not of the resource. */
const OWN_FAILURES: Partial<Record<ErrorCode, string>> = {
  overloaded: 'could not be fetched: the service is at its capacity',
  rate_limit_exceeded: 'could not be fetched: this account is over the share of connections to one host',
};

/** Returns the failure of a resource, in the words that metadata uses for the same failure of a page. */
function toResourceFailure(error: unknown, signal: AbortSignal): ResourceFailure {
  const own = error instanceof ApiError ? OWN_FAILURES[error.code] : undefined;
  if (own !== undefined) return { failure: own };
  return { failure: signal.aborted ? 'did not answer in time' : describeFailure(error) };
}

const MEBIBYTE = 1024 * 1024;

/** The refusals of resources that pages do not have. */
const RESOURCE_REFUSALS = {
  url: () => createRefusal('has a URL that is not valid, or longer than 4,096 characters'),
  method: () => createRefusal('was requested with a method that is not supported'),
  requests: ({ maxRequests }: ResourceBudget) =>
    createRefusal(`was not fetched: a document may make ${maxRequests} requests`),
  bytes: ({ maxBytes }: ResourceBudget) =>
    createRefusal(
      `was not fetched: the resources of a document may have ${Math.floor(maxBytes / MEBIBYTE)} MiB together`,
    ),
  cut: () => createRefusal('could not be read: its host disconnected before its end'),
};

function createRefusal(publicFailure: string): Refusal {
  return new Refusal(publicFailure, { publicFailure });
}
