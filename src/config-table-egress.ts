/** The settings of the way to the network: DNS servers, what may be contacted, how much at once. */
import { optional, setting } from './config-setting.ts';
import {
  integer,
  parseCidrs,
  parseContactUrl,
  parseDnsServers,
  parseHeaderValue,
  parsePorts,
} from './config-values.ts';

const cidrs = 'CIDR list';

export const EGRESS_SETTINGS = {
  dnsServers: optional(
    'DNS_SERVERS',
    'host[:port] list',
    parseDnsServers,
    'The DNS servers to query, as IP addresses; if unset, those of the system.',
  ),
  egressAllowCidrs: setting(
    'EGRESS_ALLOW_CIDRS',
    cidrs,
    parseCidrs,
    '',
    'Non-public ranges (private networks, this machine’s own addresses) that may be contacted, on all ports.',
  ),
  egressDenyCidrs: setting(
    'EGRESS_DENY_CIDRS',
    cidrs,
    parseCidrs,
    '',
    'Ranges that are not contacted, even if they are public or in EGRESS_ALLOW_CIDRS.',
  ),
  egressPorts: setting(
    'EGRESS_PORTS',
    'port list or *',
    parsePorts,
    '80,443,8080,8443',
    'The ports of public addresses that may be contacted.',
  ),
  egressConnectionsPerHost: setting(
    'EGRESS_CONNECTIONS_PER_HOST',
    '1–1000',
    integer(1, 1000),
    '6',
    'Connections at once to one target host, shared fairly between accounts; one account may use all but one.',
  ),
  egressConnections: setting(
    'EGRESS_CONNECTIONS',
    '2–100000',
    integer(2, 100_000),
    '512',
    'Connections at once to all target hosts together, half of them for pages. Above it, fetches wait briefly and then fail with 503.',
  ),
  egressContactUrl: optional(
    'EGRESS_CONTACT_URL',
    'URL',
    parseContactUrl,
    'A page that says who runs this service and how to reach them, for the owners of the sites that it fetches: it is named in the User-Agent.',
  ),
  egressUserAgent: optional(
    'EGRESS_USER_AGENT',
    'text',
    parseHeaderValue,
    'The whole User-Agent header of the service’s requests, in place of Mozilla/5.0 (compatible; UtilityAPIbot/1.0; +EGRESS_CONTACT_URL); name a contact in it.',
  ),
} as const;
