import { getServers } from 'node:dns';
import { isIP } from 'node:net';

/**
 * Record data by type. Names are A-labels without the trailing dot; the strings of a TXT record are joined.
 */
export interface DnsRecords {
  A: string;
  AAAA: string;
  MX: { exchange: string; priority: number };
  TXT: string;
  NS: string;
}

export type DnsType = keyof DnsRecords;

/** The reason why there is no answer. */
export type DnsFailure =
  | 'servfail'
  | 'refused'
  | 'timeout'
  | 'network'
  | 'lying_resolver'
  | 'overloaded'
  | 'malformed';

/**
 * An answer of a server after following CNAMEs. `nodata`: the name exists, but has no records of this type.
 * `nxdomain`: it does not exist. `stale`: past its TTL, served because of a failure (RFC 8767).
 */
export type ServerAnswer<T extends DnsType = DnsType> =
  | { outcome: 'records'; records: DnsRecords[T][]; ttlSeconds: number; stale: boolean }
  | { outcome: 'nodata' | 'nxdomain'; ttlSeconds: number; stale: boolean };

/** `failure`: no server answered. */
export type DnsAnswer<T extends DnsType = DnsType> =
  | ServerAnswer<T>
  | { outcome: 'failure'; reason: DnsFailure };

/** Queries the configured name servers only: no hosts file, no search list. */
export interface DnsResolver {
  /** `name` is an A-label domain without the trailing dot. Rejects only with the signal's reason. */
  query<T extends DnsType>(name: string, type: T, signal?: AbortSignal): Promise<DnsAnswer<T>>;
  /** Returns the cached answer that `query` would resolve with; null if `query` would ask a server. */
  findCached<T extends DnsType>(name: string, type: T): DnsAnswer<T> | null;
  /** Closes every socket; queries in flight resolve with a `network` failure. */
  close(): void;
}

/** Every bound of the resolver. Times are milliseconds unless the name says seconds. */
export const DEFAULT_LIMITS = {
  /** Timeout of one question to one server. */
  attemptTimeoutMs: 1200,
  /** Timeout of a lookup, waiting included. */
  timeoutMs: 2500,
  /** Longest wait of a lookup before it starts, so that one that starts has enough time. */
  maxWaitMs: 1500,
  /** Time after which another server is queried in parallel. */
  hedgeAfterMs: 500,
  /** Time after which a stale answer is served (RFC 8767 §5, client response timer). */
  staleAfterMs: 1800,
  /** Time after its expiry in which an answer with records is served if servers fail. */
  staleSeconds: 86_400,
  /** The same for an answer without records. */
  staleNegativeSeconds: 3600,
  /** Longer TTLs are reduced to these (RFC 8767 §4, RFC 2308 §5). */
  maxTtlSeconds: 86_400,
  maxNegativeTtlSeconds: 3600,
  /** The TTL of negative answers without a SOA. */
  defaultNegativeTtlSeconds: 60,
  /**
   * Lookups at a time. More than the shares of accounts allow: 256 for mail, 256 pages and 256 resources,
   * each for two families, and as many again for CNAMEs and early renewals. A waiting lookup costs a timer,
   * not a socket.
   */
  maxConcurrent: 4096,
  /** Lookups that may wait; further ones fail as `overloaded`. */
  maxQueued: 4096,
  maxCacheBytes: 32 * 1024 * 1024,
  socketsPerServer: 8,
  questionsPerSocket: 100,
};

export type ResolverLimits = typeof DEFAULT_LIMITS;

/** The IP address and port of a name server, on UDP and TCP. */
export interface ServerAddress {
  host: string;
  port: number;
}

const DNS_PORT = 53;

/** Parses `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` and `[2001:db8::1]:5353`; null for anything else. */
export function parseServerAddress(text: string): ServerAddress | null {
  if (isIP(text) !== 0) return { host: text, port: DNS_PORT };
  const match = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text);
  if (!match) return null;
  const [, bracketed, bare, portText] = match;
  const host = bracketed ?? bare ?? '';
  const port = portText === undefined ? DNS_PORT : Number(portText);
  const isAddress = bracketed === undefined ? isIP(host) === 4 : isIP(host) === 6;
  return isAddress && port >= 1 && port <= 65_535 ? { host, port } : null;
}

/** Returns the name servers that this machine is configured to use (resolv.conf), in its order. */
export function getSystemServers(): ServerAddress[] {
  return getServers()
    .map(parseServerAddress)
    .filter((server) => server !== null);
}
