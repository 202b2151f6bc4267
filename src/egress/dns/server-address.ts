import { getServers } from 'node:dns';
import { isIP } from 'node:net';

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
