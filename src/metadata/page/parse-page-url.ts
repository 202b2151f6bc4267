import { ApiError } from '#errors';

/** The most characters (UTF-16 code units) of the `url` parameter. */
export const MAX_URL_CHARACTERS = 4_096;

/**
 * Parses the `url` parameter and returns it without its fragment. Throws ApiError `invalid_url` for anything
 * but an absolute http(s) URL of at most 4,096 characters without credentials.
 */
export function parsePageUrl(value: string): URL {
  if (value.trim() === '') throw createError('The URL is empty: send an absolute http:// or https:// URL.');
  if (value.length > MAX_URL_CHARACTERS)
    throw createError('The URL has more than 4,096 characters: send a shorter URL.');
  if (/[\u0000-\u001F\u007F-\u009F]/.test(value)) {
    throw createError('The URL has control characters: percent-encode them, or leave them out.');
  }
  if (value !== value.trim()) throw createError('The URL begins or ends with white space: leave it out.');
  if (!value.isWellFormed()) throw createError('The URL is not valid Unicode: percent-encode it as UTF-8.');
  // The WHATWG parser accepts any number of slashes or backslashes before the host.
  if (!/^https?:/i.test(value)) {
    throw createError(
      'The URL is not absolute or has another protocol: begin it with http:// or https:// and a host.',
    );
  }
  const url = URL.parse(value);
  if (url === null || !canBeHostName(url.hostname))
    throw createError('The URL is not valid: check its host and port.');
  if (url.username !== '' || url.password !== '') {
    throw createError('The URL holds credentials: send the URL without «user:password@».');
  }
  url.hash = '';
  return url;
}

/** Returns whether a host is within the limits of RFC 1035 §2.3.4, which the URL parser does not enforce. */
function canBeHostName(host: string): boolean {
  return host.length <= 254 && host.split('.').every((label) => label.length <= 63);
}

function createError(message: string): ApiError {
  return new ApiError('invalid_url', message, { param: 'url' });
}
