/** The network of the operations: DNS, pages, resources of documents, and the lists that are fetched. */
import type { Config } from '#config';
import {
  type Cidr,
  createLookupMail,
  createLookupTxt,
  type DnsObserver,
  type Egress,
  openEgress,
  openResolver,
  parseCidr,
  getSystemServers,
} from '#egress';
import { isUsableExchange } from '#email';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

export interface NetworkOptions {
  config: Config;
  logger: FastifyBaseLogger;
  now: () => number;
  /** Returns the server of this process, whose addresses are never contacted. */
  getServer: () => FastifyInstance;
  /** Returns the other sockets of this process that callers must not reach. */
  getOtherEndpoints: () => Endpoint[];
  dnsObserver: DnsObserver | undefined;
  /** Returns fetchers that count their outcomes. */
  observeEgress: ((egress: Egress) => Egress) | undefined;
}

export interface Endpoint {
  address: string;
  port: number;
}

export interface Network {
  egress: Egress;
  lookupMail: ReturnType<typeof createLookupMail>;
  lookupTxt: ReturnType<typeof createLookupTxt>;
  /** Remembers the addresses of the server, which listens on all of them now. */
  keepEndpoints(): void;
  close(): void;
}

export function openNetwork(options: NetworkOptions): Network {
  const { config, now, dnsObserver: observer } = options;
  const resolver = openResolver({ servers: config.dnsServers ?? getSystemServers(), now, observer });
  // Until it listens on all addresses, each decision asks the kernel for them.
  let endpoints: Endpoint[] | null = null;
  const list = () => [...listEndpoints(options.getServer()), ...options.getOtherEndpoints()];
  const denyEndpoints = () => endpoints ?? list();
  const { observeEgress = (egress: Egress) => egress } = options;
  const egress = observeEgress(openGuardedEgress(options, resolver, denyEndpoints));
  return {
    egress,
    lookupMail: createLookupMail({ resolver, isPublicAddress: egress.isPublicAddress, isUsableExchange }),
    lookupTxt: createLookupTxt(resolver),
    keepEndpoints() {
      endpoints = list();
    },
    close() {
      egress.close();
      resolver.close();
    },
  };
}

function openGuardedEgress(
  { config, logger, now }: NetworkOptions,
  resolver: ReturnType<typeof openResolver>,
  denyEndpoints: () => Endpoint[],
): Egress {
  return openEgress({
    resolver,
    policy: {
      allowCidrs: parseBlocks(config.egressAllowCidrs),
      denyCidrs: parseBlocks(config.egressDenyCidrs),
      ports: config.egressPorts,
      denyEndpoints,
    },
    interfaces: {
      onError: (err) =>
        logger.error(
          { err },
          'cannot read the addresses of the network interfaces: the last known ones stay denied',
        ),
    },
    userAgent: config.egressUserAgent,
    contactUrl: config.egressContactUrl,
    connectionsPerHost: config.egressConnectionsPerHost,
    maxConnections: config.egressConnections,
    maxRenders: config.pdfSlots,
    now,
  });
}

function parseBlocks(cidrs: readonly string[]): Cidr[] {
  return cidrs.map(parseCidr).filter((block) => block !== null);
}

/** Returns the addresses and ports that the server listens on. */
function listEndpoints(server: FastifyInstance): Endpoint[] {
  return server
    .addresses()
    .filter((address) => typeof address === 'object')
    .map(({ address, port }) => ({ address, port }));
}
