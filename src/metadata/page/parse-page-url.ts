/** The `url` parameter: an absolute http(s) URL, or the error that says what is wrong with it. */
import { ApiError } from '#errors';

const MAX_LENGTH = 4_096;

/** The parsed URL without its fragment. Throws ApiError `invalid_url` for anything but an absolute http(s) URL without credentials (SPEC, «Metadata»). */
export function parsePageUrl(value: string): URL {
  if (value.trim() === '')
    throw invalid('The url parameter is empty: send an absolute http:// or https:// URL.');
  if (value.length > MAX_LENGTH)
    throw invalid('The url parameter has more than 4,096 characters: send a shorter URL.');
  if (/[\u0000-\u001F\u007F-\u009F]/.test(value)) {
    throw invalid('The url parameter has control characters: percent-encode them, or leave them out.');
  }
  if (value !== value.trim())
    throw invalid('The url parameter begins or ends with white space: leave it out.');
  if (!value.isWellFormed())
    throw invalid('The url parameter is not valid Unicode: percent-encode it as UTF-8.');
  // Slashes may be missing, too many or backslashes: the WHATWG parser reads a host behind any of them, so this is judged by that host.
  if (!/^https?:/i.test(value)) {
    throw invalid(
      'The url parameter is not absolute or has another protocol: begin it with http:// or https:// and a host.',
    );
  }
  const url = URL.parse(value);
  if (url === null || !canBeHostName(url.hostname))
    throw invalid('The url parameter is not a valid URL: check its host and port.');
  if (url.username !== '' || url.password !== '') {
    throw invalid('The url parameter holds credentials: send the URL without «user:password@».');
  }
  url.hash = '';
  return url;
}

/** The limits of RFC 1035 §2.3.4, which the URL parser does not hold a host to. */
function canBeHostName(host: string): boolean {
  return host.length <= 254 && host.split('.').every((label) => label.length <= 63);
}

function invalid(message: string): ApiError {
  return new ApiError('invalid_url', message, { param: 'url' });
}
