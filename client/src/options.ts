/** The options of the client and of single calls. */
import type { UtilityApiError } from './errors.ts';
import type { ResponseFacts } from './response.ts';
import { VERSION } from './version.gen.ts';

/** An attempt that failed and will be repeated. */
export interface Retry {
  /** The number of attempts that have failed in a row. */
  attempt: number;
  /** The time until the next attempt. */
  delayMs: number;
  error: UtilityApiError;
}

/** Options of one call. They override the client's. */
export interface CallOptions {
  /** Aborts the call, waits included. It then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /**
   * Time limit of one attempt: 60,000 ms by default, 90,000 ms for a batch of URLs. Of a PDF and of a batch
   * it limits the wait for the first part and for each next one. Infinity turns it off.
   */
  timeoutMs?: number | undefined;
  /** Time limit of the whole call with its retries and waits: none by default. */
  totalTimeoutMs?: number | undefined;
  /** The number of times that a failed attempt is repeated: 2 by default. */
  maxRetries?: number | undefined;
  /**
   * The most bytes of a PDF, 256 MiB by default, or of a result and of a row of a batch, 16 MiB by default.
   * More is the error `unexpected_response`. Infinity turns it off.
   */
  maxResponseBytes?: number | undefined;
  /** Called before the wait for another attempt. */
  onRetry?: ((retry: Retry) => void) | undefined;
  /** Called with the facts of each response of the API that is not an error: of a batch, one per chunk. */
  onResponse?: ((response: ResponseFacts) => void) | undefined;
}

/** Options of a client. */
export interface ClientOptions extends Omit<CallOptions, 'signal'> {
  /** The API key; the variable UTILITY_API_KEY by default. It must stay on servers. */
  apiKey?: string | undefined;
  /** The address of the service, such as https://api.example.com; UTILITY_API_URL by default. */
  baseUrl?: string | undefined;
  /** Replaces the global fetch, for proxies or tests. It must not follow redirects on its own. */
  fetch?: typeof fetch | undefined;
}

/** The options of a call, complete. */
export interface CallSettings extends CallOptions {
  totalTimeoutMs: number;
  maxRetries: number;
}

/** The connection of a client, complete. */
export interface ClientSettings {
  baseUrl: string;
  headers: Readonly<Record<string, string>>;
  fetch: typeof fetch;
  call: CallSettings;
}

const DEFAULTS = { totalTimeoutMs: Infinity, maxRetries: 2 };

/** Returns the settings of a client. Throws TypeError if an option is missing or not valid. */
export function parseClientOptions(options: ClientOptions): ClientSettings {
  const { apiKey = getVariable('UTILITY_API_KEY'), baseUrl = getVariable('UTILITY_API_URL') } = options;
  const { timeoutMs, totalTimeoutMs, maxRetries, maxResponseBytes, onRetry, onResponse } = options;
  const call = { timeoutMs, totalTimeoutMs, maxRetries, maxResponseBytes, onRetry, onResponse };
  return {
    baseUrl: parseBaseUrl(baseUrl),
    headers: {
      'x-api-key': parseKey(apiKey),
      // Browsers and some edge runtimes set their own.
      'user-agent': `utility-api-client/${VERSION}`,
    },
    // Called as a plain function: a browser's fetch refuses another `this`.
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    call: parseCallOptions(call, DEFAULTS),
  };
}

/** Returns the settings of a call. Throws TypeError if an option is not valid. */
export function parseCallOptions(options: CallOptions, defaults: CallSettings): CallSettings {
  const settings = { ...defaults };
  for (const [name, value] of Object.entries(options))
    if (value !== undefined) Object.assign(settings, { [name]: value });
  for (const name of ['timeoutMs', 'totalTimeoutMs'] as const)
    if (!((settings[name] ?? 1) > 0))
      throw new TypeError(`${name} must be a positive number of milliseconds.`);
  if (!((settings.maxResponseBytes ?? 1) > 0))
    throw new TypeError('maxResponseBytes must be a positive number of bytes.');
  if (!(settings.maxRetries >= 0)) throw new TypeError('maxRetries must be 0 or a positive number.');
  return settings;
}

function parseKey(key: string | undefined): string {
  const trimmed = key?.trim();
  if (!trimmed) throw new TypeError('The API key is missing: set apiKey or the variable UTILITY_API_KEY.');
  // Runtimes quote a header that they refuse in their error: the key must not appear there.
  if (!/^[\x21-\x7e]+$/.test(trimmed)) throw new TypeError('The API key has characters that no key has.');
  return trimmed;
}

function parseBaseUrl(text: string | undefined): string {
  if (!text)
    throw new TypeError(
      'The address of the service is missing: set baseUrl or the variable UTILITY_API_URL, such as https://api.example.com.',
    );
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new TypeError(
      'baseUrl must be an http:// or https:// URL without credentials, query and fragment, such as https://api.example.com.',
    );
  return url.href.replace(/\/+$/, '');
}

/** Gets a variable of the environment; undefined in runtimes without one. */
function getVariable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}
