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
