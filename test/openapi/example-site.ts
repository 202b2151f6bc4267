/**
 * The hosts of the examples, on loopback: DNS with their records, the page of ogp.me as it was written in
 * 2026, and pages of example.com and example.org. The key is public on purpose: only tests use it.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { startDnsServer } from '../support/dns-server.ts';
import type { DnsZones } from '../support/dns-zones.ts';
import { CERTIFICATE, KEY } from './example-identity.ts';

/** Of this process alone: those that run at the same time use the same ports. */
const SITE_ADDRESS = `127.93.${(process.pid >> 8) & 255}.${process.pid & 255}`;

const ZONES: DnsZones = {
  'ogp.me': { A: [SITE_ADDRESS] },
  'example.com': { A: [SITE_ADDRESS] },
  'example.org': { A: [SITE_ADDRESS] },
  'gmail.com': {
    MX: [
      { exchange: 'gmail-smtp-in.l.google.com', priority: 5 },
      { exchange: 'alt1.gmail-smtp-in.l.google.com', priority: 10 },
    ],
    TXT: ['v=spf1 redirect=_spf.google.com'],
  },
  '_dmarc.gmail.com': { TXT: ['v=DMARC1; p=none; sp=quarantine; rua=mailto:mailauth-reports@google.com'] },
  'gmail-smtp-in.l.google.com': { A: ['142.251.31.27'] },
  'alt1.gmail-smtp-in.l.google.com': { A: ['142.250.153.27'] },
  'mailinator.com': { MX: [{ exchange: 'mail.mailinator.com', priority: 1 }] },
  'mail.mailinator.com': { A: ['23.239.11.30'] },
};

const PAGE = `<!doctype html>
<html lang="en">
<head prefix="og: https://ogp.me/ns#">
<meta charset="utf-8">
<title>The Open Graph protocol</title>
<meta name="description" content="The Open Graph protocol enables any web page to become a rich object in a social graph.">
<link rel="icon" href="/favicon.ico">
<meta property="og:title" content="Open Graph protocol">
<meta property="og:type" content="website">
<meta property="og:url" content="https://ogp.me/">
<meta property="og:image" content="https://ogp.me/logo.png">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="300">
<meta property="og:image:height" content="300">
<meta property="og:image:alt" content="The Open Graph logo">
<meta property="og:description" content="The Open Graph protocol enables any web page to become a rich object in a social graph.">
</head>
<body><h1>The Open Graph protocol</h1></body></html>`;

const EXAMPLE_PAGE = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Example Domain</title><h1>Example Domain</h1></html>`;

/** The hosts of the examples. */
export interface ExampleSite extends AsyncDisposable {
  /** The settings of a service that reaches them. */
  settings: Record<string, string>;
  /** False if this process may not listen on ports 80 and 443: then no page can be reached. */
  isPageServed: boolean;
}

/** Starts the hosts, and trusts their certificate in this process until they are closed. */
export async function openExampleSite(): Promise<ExampleSite> {
  const dns = await startDnsServer({ zones: ZONES });
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, CERTIFICATE]);
  const secure = createTlsServer({ key: KEY, cert: CERTIFICATE }, respondSecurely);
  const plain = createServer(respond);
  const isPageServed = (await listen(secure, 443)) && (await listen(plain, 80));
  return {
    settings: {
      DNS_SERVERS: `${dns.host}:${dns.port}`,
      EGRESS_ALLOW_CIDRS: `${SITE_ADDRESS}/32`,
    },
    isPageServed,
    [Symbol.asyncDispose]: async () => {
      setDefaultCACertificates(trusted);
      for (const server of [secure, plain]) {
        server.closeAllConnections();
        server.close();
      }
      await dns[Symbol.asyncDispose]();
    },
  };
}

const respond: RequestListener = (request, response) => {
  const page = request.headers.host === 'ogp.me' ? PAGE : EXAMPLE_PAGE;
  response.setHeader('content-type', 'text/html').end(page);
};

/** Responds late for https://example.org/, the example of a page that is too slow for a short timeout. */
const respondSecurely: RequestListener = (request, response) => {
  if (request.headers.host !== 'example.org') respond(request, response);
  else setTimeout(() => respond(request, response), 2_000).unref();
};

/** Returns false if this process may not. */
async function listen(server: Pick<Server, 'listen' | 'once'>, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once('error', () => resolve(false)).listen(port, SITE_ADDRESS, () => resolve(true));
  return promise;
}
