import { isIP } from 'node:net';
import { Refusal } from './refusal.ts';

/** The host and port of a URL, before its name is resolved. */
export interface Target {
  /** Scheme, host and port, as serialized by the URL standard, for the Host header. */
  origin: string;
  isTls: boolean;
  /** An address literal without brackets, or a lower-case A-label name without the trailing dot. */
  host: string;
  isLiteral: boolean;
  port: number;
}

/**
 * Suffixes of names that have a meaning only in a local network, so they are not resolved: RFC 6761, 6762
 * (and its appendix G), 7686, 8375, 9476, ICANN's reservation of .internal, the reverse tree, and those of
 * home routers.
 */
const PRIVATE_SUFFIXES = new Set(
  (
    'alt arpa corp domain example fritz home i2p internal intranet invalid lan local localdomain mail onion ' +
    'private test workgroup'
  ).split(' '),
);

/**
 * Reports whether a name is localhost or below it, which means 127.0.0.1 and ::1 without a query (RFC 6761
 * §6.3).
 */
export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

function isDomainName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => label !== '' && label.length <= 63);
}

function isPrivateName(name: string): boolean {
  const lastDot = name.lastIndexOf('.');
  return lastDot === -1 || PRIVATE_SUFFIXES.has(name.slice(lastDot + 1));
}

/**
 * Returns the target of a URL, which the URL standard has normalized (0x7f.1 is 127.0.0.1). Throws Refusal
 * for schemes other than http and https, credentials, and names that can only be private.
 */
export function parseTarget(url: URL): Target {
  const isTls = url.protocol === 'https:';
  if (!isTls && url.protocol !== 'http:') throw new Refusal(`scheme ${url.protocol}`);
  if (url.username !== '' || url.password !== '') throw new Refusal('credentials in the URL');
  const bare = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  const host = bare.endsWith('.') ? bare.slice(0, -1) : bare;
  const isLiteral = isIP(host) !== 0;
  if (!isLiteral && !isLocalhost(host) && (!isDomainName(host) || isPrivateName(host))) {
    throw new Refusal(`name ${host}`);
  }
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
  return { origin: url.origin, isTls, host, isLiteral, port };
}
