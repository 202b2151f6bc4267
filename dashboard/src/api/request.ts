/**
 * Requests to the account API: JSON, same origin, authenticated by the session cookie.
 * Every failure is a RequestError whose message can be shown as it is.
 */
import type { RouteName, RouteRequest, RouteResponse } from './types.ts';

/** A failed request. Its message is the service's, or describes the network error; `status` is then 0. */
export class RequestError extends Error {
  override name = 'RequestError';
  readonly status: number;
  /** The identifier in the error body, or `offline` if there was no response. */
  readonly code: string;
  readonly param: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly requestId: string | undefined;

  constructor(
    message: string,
    details: {
      status: number;
      code: string;
      param?: string | undefined;
      retryAfterSeconds?: number | undefined;
      requestId?: string | undefined;
    },
  ) {
    super(message);
    this.status = details.status;
    this.code = details.code;
    this.param = details.param;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.requestId = details.requestId;
  }
}

const OFFLINE =
  'The server cannot be reached. Check your connection, then try again. Nothing you typed is lost.';

interface SendOptions {
  body?: unknown;
  headers?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
}

/** Sends a request and returns the response, whatever its status. Throws RequestError if there is none. */
export async function send(method: string, path: string, options: SendOptions = {}): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json', ...options.headers };
  if (options.body !== undefined) headers['content-type'] = 'application/json';
  try {
    return await fetch(path, {
      method,
      headers,
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal: options.signal ?? null,
      credentials: 'same-origin',
      cache: 'no-store',
    });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new RequestError(OFFLINE, { status: 0, code: 'offline' });
  }
}

type QueryMembers = Record<string, string | number | undefined>;

/** The body that the route's schema takes, the `id` (or code) and `keyId` in its path, and a query string. */
type RequestOptions<Name extends RouteName> = Omit<SendOptions, 'body'> & {
  query?: QueryMembers;
} & (RouteRequest<Name> extends null ? { body?: undefined } : { body: RouteRequest<Name> }) &
  (Name extends `${string}/:${'id' | 'code'}${string}` ? { id: string } : { id?: undefined }) &
  (Name extends `${string}/:keyId` ? { keyId: string } : { keyId?: undefined });

/** Calls a route, like `GET /account/plan`, and returns its JSON. Throws RequestError for a status ≥ 400. */
export async function request<Name extends RouteName>(
  route: Name,
  options: RequestOptions<Name>,
): Promise<RouteResponse<Name>> {
  const { id = '', keyId = '', query = {}, ...rest } = options;
  const [method = '', template = ''] = route.split(' ');
  const path = template
    .replace(/:(?:id|code)\b/, encodeURIComponent(id))
    .replace(':keyId', encodeURIComponent(keyId));
  const response = await send(method, path + formatQuery(query), rest);
  if (!response.ok) throw await parseError(response);
  const text = response.status === 204 ? '' : await response.text();
  try {
    return (text === '' ? null : JSON.parse(text)) as RouteResponse<Name>;
  } catch {
    throw new RequestError(describeUnexplained(response.status), {
      status: response.status,
      code: 'internal',
    });
  }
}

/** Returns the error of a response. A body that is not the service's gets a general message. */
export async function parseError(response: Response): Promise<RequestError> {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : undefined;
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  const text = (name: string) => (typeof body?.[name] === 'string' ? body[name] : undefined);
  return new RequestError(text('message') ?? describeUnexplained(response.status), {
    status: response.status,
    code: text('error') ?? 'internal',
    param: text('param'),
    requestId: text('request_id') ?? response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds,
  });
}

function describeUnexplained(status: number): string {
  return `The server responded with ${status} and no explanation. Try again in a moment.`;
}

/** Formats a query string with its question mark, without empty members; returns '' if none is left. */
export function formatQuery(members: QueryMembers): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members))
    if (value !== undefined && value !== '') query.set(name, String(value));
  // The service takes a plus sign as one (RFC 3986).
  const text = query.toString().replaceAll('+', '%20');
  return text === '' ? '' : `?${text}`;
}

/** Returns the message of an error about one of the `fields`, else undefined. */
export function findFieldError(error: unknown, ...fields: string[]): string | undefined {
  return error instanceof RequestError && error.param !== undefined && fields.includes(error.param)
    ? error.message
    : undefined;
}

/** Returns the error unless it is about one of the `fields`, which show it themselves. */
export function findFormError(error: unknown, ...fields: string[]): unknown {
  return findFieldError(error, ...fields) === undefined ? error : null;
}
