/** Readers for the texts of settings: each answers the value, or throws an Error whose message completes the sentence «NAME …». */
import { availableParallelism } from 'node:os';
import { isIP } from 'node:net';

export interface ServerAddress {
  host: string;
  port: number;
}

/** What a plan allows; `slots` is null if the machine decides. */
export interface PlanValue {
  limitPerMinute: number;
  slots: number | null;
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

const PLAN_FORM = 'name=limit or name=limit/slots, separated by commas, like free=60/2,pro=600';

/** Parses plans: `name=requests per minute` or `name=requests per minute/browser slots`, in the order given. */
export function parsePlans(text: string): ReadonlyMap<string, PlanValue> {
  const plans = new Map<string, PlanValue>();
  for (const part of readList(text)) {
    const [, name, limit, slots] = /^([a-z][a-z0-9_-]{0,31})=(\d{1,9})(?:\/(\d{1,9}))?$/.exec(part) ?? [];
    if (!name) throw new Error(`must be ${PLAN_FORM}; «${quote(part)}» is not`);
    if (plans.has(name)) throw new Error(`names the plan ${name} twice; write each plan once`);
    if (Number(limit) < 1)
      throw new Error(`must allow at least 1 request per minute; «${part}» does not: write ${name}=60`);
    if (slots !== undefined && (Number(slots) < 1 || Number(slots) > 256))
      throw new Error(
        `must allow 1 to 256 browser slots after the slash; «${part}» does not: write ${name}=${limit}/2, or ${name}=${limit} to derive them from the machine`,
      );
    plans.set(name, { limitPerMinute: Number(limit), slots: slots === undefined ? null : Number(slots) });
  }
  if (plans.size === 0) throw new Error(`names no plan; write ${PLAN_FORM}`);
  return plans;
}

/** Cuts what was received to a length and a form that fit into one line. */
function quote(text: string): string {
  const line = text.replace(/[\s\u0000-\u001f\u007f]+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}

/** Parses a count, or `auto`: one per core, one more to use while another waits, and one that stays free for other accounts. */
export function parseSlots(text: string): number {
  if (text === 'auto') return Math.min(256, availableParallelism() + 2);
  try {
    return readInteger(1, 256)(text);
  } catch {
    throw new Error(`must be auto or a whole number from 1 to 256; «${quote(text)}» is not`);
  }
}
