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
import { EGRESS_CONNECTIONS } from '#limits';
import type { FastifyBaseLogger } from 'fastify';
import type { Endpoint, OwnAddress } from './own-address.ts';

export interface NetworkOptions {
  config: Config;
  logger: FastifyBaseLogger;
  now: () => number;
  /** The sockets of this process, which callers must not reach. */
  ownAddress: OwnAddress;
  dnsObserver: DnsObserver | undefined;
}

export interface Network {
  egress: Egress;
  lookupMail: ReturnType<typeof createLookupMail>;
  lookupTxt: ReturnType<typeof createLookupTxt>;
  close(): void;
}

export function openNetwork(options: NetworkOptions): Network {
  const { config, now, dnsObserver: observer } = options;
  const resolver = openResolver({ servers: config.dnsServers ?? getSystemServers(), now, observer });
  const egress = openGuardedEgress(options, resolver, () => options.ownAddress.listEndpoints());
  return {
    egress,
    lookupMail: createLookupMail({ resolver, isPublicAddress: egress.isPublicAddress, isUsableExchange }),
    lookupTxt: createLookupTxt(resolver),
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
    maxConnections: EGRESS_CONNECTIONS,
    maxRenders: config.pdfSlots,
    now,
  });
}

function parseBlocks(cidrs: readonly string[]): Cidr[] {
  return cidrs.map(parseCidr).filter((block) => block !== null);
}
