/**
 * The one way the dashboard talks to the service: JSON over the session cookie, same origin.
 * Every failure becomes a RequestError whose message can be shown as it is.
 */

/** What went wrong with a request: the service's own sentence, or one for the network. `status` is 0 when nothing answered. */
export class RequestError extends Error {
  override name = 'RequestError';
  readonly status: number;
  /** The identifier in the error body, or `offline` when the service did not answer at all. */
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
  'The server cannot be reached. Check your connection; nothing you typed is lost. Then try again.';

interface Options {
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** Sends one request and answers the raw response, whatever its status; rejects with RequestError only when nothing answered. */
export async function send(method: string, path: string, options: Options = {}): Promise<Response> {
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

/** Sends one request and answers its JSON body (undefined for an empty one); rejects with RequestError for any status ≥ 400. */
export async function request<T>(method: string, path: string, options: Options = {}): Promise<T> {
  const response = await send(method, path, options);
  if (!response.ok) throw await readError(response);
  if (response.status === 204) return undefined as T;
  const text = await response.text();
  try {
    return (text === '' ? undefined : JSON.parse(text)) as T;
  } catch {
    throw new RequestError(unexplained(response.status), { status: response.status, code: 'internal' });
  }
}

/** Reads the service's error body; a proxy's page or an empty body gets a sentence of its own. */
export async function readError(response: Response): Promise<RequestError> {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : undefined;
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  const text = (name: string) => (typeof body?.[name] === 'string' ? body[name] : undefined);
  return new RequestError(text('message') ?? unexplained(response.status), {
    status: response.status,
    code: text('error') ?? 'internal',
    param: text('param'),
    requestId: text('request_id') ?? response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds,
  });
}

function unexplained(status: number): string {
  return `The server answered ${status} without saying why. Try again in a moment.`;
}

/** A query string of the members that have a value, with its question mark; empty when there are none. */
export function queryString(members: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members))
    if (value !== undefined && value !== '') query.set(name, String(value));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
