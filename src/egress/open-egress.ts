import { createAddressPolicy, type AddressPolicyOptions } from './guard/address-policy.ts';
import { createConnectionLimits } from './http/connection-limits.ts';
import { openConnectionPool } from './http/connection-pool.ts';
import type { DnsResolver } from './dns/resolver.ts';
import { lookupAddresses } from './dns/lookup-addresses.ts';
import { createFetchList, type FetchList } from './fetch-list.ts';
import { createFetchPage } from './fetch-page.ts';
import { createOpenResourceFetcher } from './fetch-resource.ts';
import { openInterfaceAddresses, type InterfaceAddressesOptions } from './guard/interface-addresses.ts';
import type { FetchPage } from './http/page.ts';
import type { OpenResourceFetcher } from './http/resource.ts';
import { isPublicAddress } from './guard/public-address.ts';
import type { Door } from './http/send.ts';
import { createWireWatch } from './http/byte-budget.ts';

export interface EgressOptions {
  resolver: DnsResolver;
  policy: AddressPolicyOptions;
  /** How the addresses of this machine's interfaces are read, which are refused unless the policy opens them. */
  interfaces?: InterfaceAddressesOptions;
  /** The User-Agent of page fetches and of a document's resources. */
  userAgent: string;
  /** Connections to one host at a time. */
  connectionsPerHost: number;
  /** Connections over all hosts at a time; default 512. */
  maxConnections?: number;
  /** Of these, those of page fetches, so that a flood of slow pages leaves some to documents; default half of them. */
  maxPageConnections?: number;
  /** Renders at a time, which share what pages leave; default 1. */
  maxRenders?: number;
  /** How long a fetch waits for one of these before it is refused as `overloaded`, in milliseconds; default 2,500. */
  maxWaitMs?: number;
  /** How long an idle connection may wait for the next request to the same origin, in milliseconds; default 4,000, 0 for never. */
  keepAliveMs?: number;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** The one way out. */
export interface Egress {
  fetchPage: FetchPage;
  openResourceFetcher: OpenResourceFetcher;
  fetchList: FetchList;
  isPublicAddress: (address: string) => boolean;
  /** Closes every connection; fetches in flight fail. The resolver is its owner's to close. */
  close(): void;
}

/** A render may have so many requests in flight, however many renders there are: about what a browser opens to one host. */
const MIN_IN_FLIGHT_PER_RENDER = 8;

/** Builds the fetchers on one policy, one resolver and one pool of connections. */
export function openEgress(options: EgressOptions): Egress {
  const { resolver, policy, userAgent, connectionsPerHost, keepAliveMs = 4000, now } = options;
  const {
    maxConnections = 512,
    maxPageConnections = Math.ceil(maxConnections / 2),
    maxRenders = 1,
    maxWaitMs = 2500,
  } = options;
  const limits = createConnectionLimits({ maxConnections, maxPageConnections, maxWaitMs });
  const interfaces = openInterfaceAddresses(options.interfaces);
  const door: Door = {
    policy: createAddressPolicy(policy, interfaces),
    lookup: (name, signal) => lookupAddresses(resolver, name, signal),
    pool: openConnectionPool({ connectionsPerHost, limits, keepAliveMs, now }),
    wireWatch: createWireWatch(),
  };
  return {
    fetchPage: createFetchPage({ door, userAgent, now }),
    openResourceFetcher: createOpenResourceFetcher({
      door,
      userAgent,
      maxInFlightPerRender: Math.max(
        MIN_IN_FLIGHT_PER_RENDER,
        Math.floor((maxConnections - maxPageConnections) / maxRenders),
      ),
    }),
    fetchList: createFetchList({ door, userAgent }),
    isPublicAddress,
    close() {
      interfaces.close();
      door.pool.close();
    },
  };
}
