import { quote } from './config-values.ts';

/** Name the files of a CA, and of the certificate of this client with its key. */
const FILE_PARAMETERS = ['sslrootcert', 'sslcert', 'sslkey'];

/**
 * Parses the URL of a Redis server. The text is returned unchanged. Messages do not contain it: it has a
 * password. Parameters that would be ignored are refused.
 */
export function parseRedisUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^rediss?:$/.test(url.protocol))
    throw new Error('must be a URL that starts with redis:// or rediss://');
  if (url.hostname === '') throw new Error('must name the host of the server');
  if (!/^\/?\d{0,9}$/.test(url.pathname))
    throw new Error('must have nothing but the number of a database after the host, like redis://host/1');
  for (const part of [url.username, url.password]) assertDecodable(part);
  const names = [...url.searchParams.keys()];
  const other = names.find((name) => !FILE_PARAMETERS.includes(name));
  if (other !== undefined)
    throw new Error(
      `must have no other parameters than ${FILE_PARAMETERS.join(', ')}; «${quote(other)}» is one`,
    );
  if (names.length > 0 && url.protocol !== 'rediss:')
    throw new Error(`must start with rediss:// (TLS) to have ${names.join(', ')}`);
  if (url.searchParams.has('sslcert') !== url.searchParams.has('sslkey'))
    throw new Error('must have sslcert and sslkey together');
  return text;
}

function assertDecodable(part: string): void {
  try {
    decodeURIComponent(part);
  } catch {
    throw new Error('must have its user and password percent-encoded (a % is written as %25)');
  }
}
