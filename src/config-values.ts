/** Readers for the texts of settings: each answers the value, or throws an Error whose message completes the sentence «NAME …». */
import { availableParallelism } from 'node:os';
import { isIP } from 'node:net';

export interface ServerAddress {
  host: string;
  port: number;
}

export function readText(text: string): string {
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new Error('must not hold control characters');
  return text;
}

/** The value of an HTTP header. */
export function readHeaderValue(text: string): string {
  if (!/^[\x20-\x7e]+$/.test(text)) throw new Error('must be printable ASCII');
  return text;
}

export function readInteger(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new Error(`must be a whole number from ${min} to ${max}`);
    return value;
  };
}

export function readBoolean(text: string): boolean {
  const value = { true: true, '1': true, false: false, '0': false }[text.toLowerCase()];
  if (value === undefined) throw new Error('must be true or false');
  return value;
}

export function readOneOf<const T extends string>(...choices: T[]): (text: string) => T {
  return (text) => {
    const choice = choices.find((candidate) => candidate === text);
    if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return choice;
  };
}

/** Splits at commas; blanks around the parts and empty parts do not count. */
export function readList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function readHttpUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw new Error('must be an http:// or https:// URL without credentials, query and fragment');
  return url.href.replace(/\/$/, '');
}

export function readUrl(...protocols: string[]): (text: string) => string {
  return (text) => {
    const url = URL.parse(text);
    if (!url || !protocols.includes(url.protocol))
      throw new Error(
        `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
      );
    return text;
  };
}

/** CIDR ranges; a bare address is a range of one. Answers them as `address/prefix`. */
export function readCidrs(text: string): string[] {
  return readList(text).map((part) => {
    const [address = '', prefix, ...rest] = part.split('/');
    const family = isIP(address);
    const bits = family === 6 ? 128 : 32;
    const length = prefix === undefined ? bits : Number(prefix);
    if (family === 0 || rest.length > 0 || !/^\d{1,3}$/.test(prefix ?? '0') || length > bits)
      throw new Error(
        `must be a comma-separated list of CIDR ranges like 10.0.0.0/8 or fd00::/8; «${part}» is not one`,
      );
    return `${address}/${length}`;
  });
}

/** `false` trusts nobody, a list of CIDR ranges trusts proxies at these addresses. */
export function readTrustProxy(text: string): false | string[] {
  return /^(false|0)$/i.test(text) ? false : readCidrs(text);
}

export function readPorts(text: string): number[] | '*' {
  if (text.trim() === '*') return '*';
  const port = readInteger(1, 65535);
  return readList(text).map((part) => {
    try {
      return port(part);
    } catch {
      throw new Error(`must be * or a comma-separated list of ports from 1 to 65535; «${part}» is not one`);
    }
  });
}

/** DNS servers as `host`, `host:port` or `[v6]:port`; the host is an IP address, for a name would need a resolver. */
export function readDnsServers(text: string): ServerAddress[] {
  const parts = readList(text);
  if (parts.length === 0) throw new Error('must name at least one IP address');
  return parts.map((part) => {
    const match = /^(?:\[([^\]]+)\]|([^:]+)|([0-9a-f:.]+:[0-9a-f:.]*))(?::(\d{1,5}))?$/i.exec(part);
    const bare = isIP(part) ? part : undefined;
    const host = bare ?? match?.[1] ?? match?.[2] ?? match?.[3] ?? '';
    const port = bare ? 53 : Number(match?.[4] ?? 53);
    if (isIP(host) === 0 || port < 1 || port > 65535)
      throw new Error(
        `must be a comma-separated list of IP addresses, each with :port where it is not 53; «${part}» is not one`,
      );
    return { host, port };
  });
}

/** Plans as `name=requests per minute`, in the order given. */
export function readPlans(text: string): ReadonlyMap<string, number> {
  const plans = new Map<string, number>();
  for (const part of readList(text)) {
    const [, name, limit] = /^([a-z][a-z0-9_-]{0,31})=(\d{1,9})$/.exec(part) ?? [];
    if (!name || Number(limit) < 1 || plans.has(name))
      throw new Error(
        `must be a comma-separated list of name=requests per minute like free=60,pro=600, each name once and the number at least 1; «${part}» is not one`,
      );
    plans.set(name, Number(limit));
  }
  if (plans.size === 0) throw new Error('must name at least one plan, like free=60');
  return plans;
}

/** A count, or `auto`: one a core, and one for while another waits for the browser’s answer. */
export function readSlots(text: string): number {
  return text === 'auto' ? availableParallelism() + 1 : readInteger(1, 256)(text);
}
