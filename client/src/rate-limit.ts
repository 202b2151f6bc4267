/** The rate limit of the key, as the headers of a response report it. */
export interface RateLimit {
  /** Units per minute of the plan: a request, or an address or URL of a batch, is one. */
  limit: number;
  /** Units that remain in this minute. */
  remaining: number;
  /** The end of this minute, when all units are available again. */
  resetAt: Date;
}

/** Parses the X-RateLimit headers; undefined if the response has none, as a proxy's. */
export function parseRateLimit(headers: Headers): RateLimit | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    parseWholeNumber(headers.get(`x-ratelimit-${name}`)),
  );
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  return { limit, remaining, resetAt: new Date(reset * 1000) };
}

/** Parses Retry-After (RFC 9110 §10.2.3), a number of seconds or a date; undefined without a valid one. */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  // Runtimes take many texts for a date: "1.5" is the 5th of January.
  const date = value.endsWith('GMT') ? Date.parse(value) : NaN;
  const seconds = parseWholeNumber(value) ?? Math.ceil((date - now) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Parses a whole number that is not negative; undefined if the text is none. */
export function parseWholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
