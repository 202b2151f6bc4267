/**
 * The targets of attackers and of the well-behaved caller: a DNS server, a web site, and hosts that accept
 * connections and never respond.
 */
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { startDnsServer, type DnsQuestion, type DnsReply } from '../../support/dns-server.ts';

const SITE_ADDRESS = '127.93.184.21';
const HANGING_ADDRESS = '127.93.184.22';
const SLOW_DNS_MS = 3000;
/** A public address that only the DNS server's answers name; no packet is sent to it. */
const MAIL_ADDRESS = '93.184.215.14';

export const PAGE =
  '<!doctype html><html lang="en"><head><title>A page</title><meta name="description" content="It is small."></head><body><p>text</p></body></html>';

export interface Targets extends AsyncDisposable {
  /** The value of DNS_SERVERS. */
  dns: string;
  ports: TargetPorts;
}

export interface TargetPorts {
  /** `http://popular.test-zone.com:<site>/page` is a page; `/hang…` on the same host never responds. */
  site: number;
  /** `http://<any>.hang.test-zone.com:<hanging>` accepts and never responds. */
  hanging: number;
}

/**
 * Any name below hang.test-zone.com is the hanging host, below fresh-mail.com has mail, below slow-zone.com
 * takes 3 s to fail.
 */
function answerByPattern({ name, type }: DnsQuestion): DnsReply | null {
  if (name.endsWith('.hang.test-zone.com'))
    return { answers: type === 'A' ? [{ type: 'A', name, ttl: 300, data: HANGING_ADDRESS }] : [] };
  if (name.endsWith('.slow-zone.com')) return { rcode: 'SERVFAIL', delayMs: SLOW_DNS_MS };
  if (name.endsWith('.fresh-mail.com') && type === 'MX')
    return {
      answers: [{ type: 'MX', name, ttl: 300, data: { exchange: 'mx.good-mail.com', preference: 10 } }],
    };
  return null;
}

async function listenOn(server: Server, address: string): Promise<number> {
  server.listen(0, address, 4096);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Opens them all. Connections still open are dropped at the end. */
export async function openTargets(): Promise<Targets> {
  const dns = await startDnsServer({
    answer: answerByPattern,
    zones: {
      'good-mail.com': { MX: [{ exchange: 'mx.good-mail.com', priority: 10 }] },
      'mx.good-mail.com': { A: [MAIL_ADDRESS] },
      'popular.test-zone.com': { A: [SITE_ADDRESS] },
    },
  });
  const site = createHttpServer((request, response) => {
    if (request.url?.startsWith('/hang')) return;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE);
  });
  const open = new Set<{ destroy(): void }>();
  const hanging = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    socket.resume();
  });
  const ports = {
    site: await listenOn(site, SITE_ADDRESS),
    hanging: await listenOn(hanging, HANGING_ADDRESS),
  };
  return {
    dns: `${dns.host}:${dns.port}`,
    ports,
    [Symbol.asyncDispose]: async () => {
      const closed = [once(site, 'close'), once(hanging, 'close')];
      site.close().closeAllConnections();
      hanging.close();
      for (const socket of open) socket.destroy();
      await Promise.all(closed);
      await dns.close();
    },
  };
}
