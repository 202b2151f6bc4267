/** Record data by type: A and AAAA as address text, MX as exchange (A-label, no trailing dot) and priority, TXT joined, NS and CNAME as names. */
export interface DnsRecords {
  A: string;
  AAAA: string;
  MX: { exchange: string; priority: number };
  TXT: string;
  NS: string;
}

export type DnsType = keyof DnsRecords;

/** Why nobody could tell. */
export type DnsFailure =
  | 'servfail'
  | 'refused'
  | 'timeout'
  | 'network'
  | 'lying_resolver'
  | 'overloaded'
  | 'malformed';

/**
 * An answer after CNAMEs were followed. `nodata`: the name exists, without records of this type. `nxdomain`: it does not exist.
 * `failure`: nobody could tell. `stale`: past its TTL, served because of a failure (RFC 8767).
 */
export type DnsAnswer<T extends DnsType> =
  | { outcome: 'records'; records: DnsRecords[T][]; ttlSeconds: number; stale: boolean }
  | { outcome: 'nodata' | 'nxdomain'; ttlSeconds: number; stale: boolean }
  | { outcome: 'failure'; reason: DnsFailure };

/** Asks the configured name servers, and nobody else. No hosts file, no search list. */
export interface DnsResolver {
  /** `name` is an A-label domain without the trailing dot. Rejects only with the signal's reason. */
  query<T extends DnsType>(name: string, type: T, signal?: AbortSignal): Promise<DnsAnswer<T>>;
  /** What `query` would answer without asking anyone; null where it would ask. */
  recall<T extends DnsType>(name: string, type: T): DnsAnswer<T> | null;
  /** Closes every socket; queries in flight end as failures. */
  close(): void;
}
