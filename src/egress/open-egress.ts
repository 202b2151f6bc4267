import { lookupAddresses } from './lookup-mail.ts';
import type { DnsResolver } from './dns/resolver.ts';
import { createFetchList, type FetchList } from './fetch-list.ts';
import { createFetchPage } from './fetch-page.ts';
import { createOpenResourceFetcher } from './fetch-resource.ts';
import {
  type AddressPolicyOptions,
  type InterfaceAddressesOptions,
  createAddressPolicy,
  openInterfaceAddresses,
} from './guard/address-policy.ts';
import { isPublicAddress } from './guard/public-address.ts';
import { createByteBudget } from './http/byte-budget.ts';
import { createConnectionLimits } from './http/connection-limits.ts';
import { openConnectionPool } from './http/connection-pool.ts';
import { createUserAgents, formatIdentity } from './http/request-headers.ts';
import type { FetchPage, PageIdentity } from '#metadata';
import type { OpenResourceFetcher } from '#browser';
import type { EgressContext } from './http/send.ts';

export interface EgressOptions {
  resolver: DnsResolver;
  policy: AddressPolicyOptions;
  /**
   * Options for this machine's interface addresses, which are refused unless the policy allows them.
   */
  interfaces?: InterfaceAddressesOptions;
  /** The User-Agent of pages, lists and a document's resources; null for the service's own. */
  userAgent: string | null;
  /** See BotOptions; default null. */
  contactUrl?: string | null;
  /** Connections to one host at a time. */
  connectionsPerHost: number;
  /** Connections over all hosts at a time; default 512. */
  maxConnections?: number;
  /** The part of them that page fetches may use, so that slow pages leave some to documents; default half. */
  maxPageConnections?: number;
  /** Renders at a time, which share the connections that pages leave; default 1. */
  maxRenders?: number;
  /**
   * Longest wait for a connection before a fetch fails as `overloaded`, in milliseconds; default 2,500.
   */
  maxWaitMs?: number;
  /**
   * Lifetime of an idle connection, in milliseconds; default 4,000, 0 to close each after its exchange.
   */
  keepAliveMs?: number;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** The fetchers for everything that callers request. */
export interface Egress {
  fetchPage: FetchPage;
  openResourceFetcher: OpenResourceFetcher;
  fetchList: FetchList;
  /** Returns the headers by which a page of this identity introduces itself. */
  formatIdentity: (identity: PageIdentity) => { userAgent: string; language: string | null };
  isPublicAddress: (address: string) => boolean;
  /** Closes every connection; fetches in flight fail. Does not close the resolver. */
  close(): void;
}

/**
 * The minimum of requests in flight per render, however many renders there are: about as many as a browser
 * sends to one host.
 */
const MIN_IN_FLIGHT_PER_RENDER = 8;

/** Opens the fetchers, which share one policy, one resolver and one pool of connections. */
export function openEgress(options: EgressOptions): Egress {
  const { resolver, policy, connectionsPerHost, keepAliveMs = 4000, now } = options;
  const {
    maxConnections = 512,
    maxPageConnections = Math.ceil(maxConnections / 2),
    maxRenders = 1,
    maxWaitMs = 2500,
  } = options;
  const userAgents = createUserAgents({
    userAgent: options.userAgent,
    contactUrl: options.contactUrl ?? null,
  });
  const { bot: userAgent } = userAgents;
  const limits = createConnectionLimits({ maxConnections, maxPageConnections, maxWaitMs });
  const interfaces = openInterfaceAddresses(options.interfaces);
  const context: EgressContext = {
    policy: createAddressPolicy(policy, interfaces),
    lookup: (name, signal) => lookupAddresses(resolver, name, signal),
    pool: openConnectionPool({ connectionsPerHost, limits, keepAliveMs, now }),
    byteBudget: createByteBudget(),
  };
  return {
    fetchPage: createFetchPage({ context, userAgents, now }),
    openResourceFetcher: createOpenResourceFetcher({
      context,
      userAgent,
      maxInFlightPerRender: Math.max(
        MIN_IN_FLIGHT_PER_RENDER,
        Math.floor((maxConnections - maxPageConnections) / maxRenders),
      ),
    }),
    fetchList: createFetchList({ context, userAgent }),
    formatIdentity: (identity) => formatIdentity(identity, userAgents),
    isPublicAddress,
    close() {
      interfaces.close();
      context.pool.close();
    },
  };
}
