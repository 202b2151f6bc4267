/**
 * The hosts of the examples, on loopback: DNS with their records, and the page of ogp.me as it was written in
 * 2026. The key is public on purpose: only tests use it.
 */
import { once } from 'node:events';
import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { startDnsServer } from '../support/dns-server.ts';
import type { DnsZones } from '../support/dns-zones.ts';

const SITE_ADDRESS = '127.93.184.20';

const ZONES: DnsZones = {
  'ogp.me': { A: [SITE_ADDRESS] },
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

/** The hosts of the examples. */
export interface ExampleSite extends AsyncDisposable {
  /** The settings of a service that reaches them. */
  settings: Record<string, string>;
  /** False if this process may not listen on port 443: then the page cannot be reached. */
  isPageServed: boolean;
}

/** Starts the hosts, and trusts their certificate in this process until they are closed. */
export async function openExampleSite(): Promise<ExampleSite> {
  const dns = await startDnsServer({ zones: ZONES });
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, CERTIFICATE]);
  const site = createServer({ key: KEY, cert: CERTIFICATE }, (_, response) =>
    response.setHeader('content-type', 'text/html').end(PAGE),
  );
  site.listen(443, SITE_ADDRESS);
  const isPageServed = await once(site, 'listening').then(
    () => true,
    () => false,
  );
  return {
    settings: {
      DNS_SERVERS: `${dns.host}:${dns.port}`,
      EGRESS_ALLOW_CIDRS: `${SITE_ADDRESS}/32`,
    },
    isPageServed,
    [Symbol.asyncDispose]: async () => {
      setDefaultCACertificates(trusted);
      if (isPageServed) site.close();
      await dns[Symbol.asyncDispose]();
    },
  };
}

const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgv7/82YA6/gyhPbIB
B0VP9ViFh1Ets+7gYFOhx7XSURuhRANCAASxsuYPpkdyK/xngOuoaYPPowpcUpCx
g6Z0PkqroLlrEdjV0Hkb5nPlluAdsZa8O4Yg7IFSPgLx2aqD/yeg/BKu
-----END PRIVATE KEY-----
`;

const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBjDCCATKgAwIBAgIUArGB7v4J+htK2cvnrUWhDp7mvVcwCgYIKoZIzj0EAwIw
ETEPMA0GA1UEAwwGb2dwLm1lMCAXDTI2MTEyMzA0MjU1OVoYDzIxMjYxMDMwMDQy
NTU5WjARMQ8wDQYDVQQDDAZvZ3AubWUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AASxsuYPpkdyK/xngOuoaYPPowpcUpCxg6Z0PkqroLlrEdjV0Hkb5nPlluAdsZa8
O4Yg7IFSPgLx2aqD/yeg/BKuo2YwZDAdBgNVHQ4EFgQUYl0tt72WUVneObEUOJQz
/HQqimcwHwYDVR0jBBgwFoAUYl0tt72WUVneObEUOJQz/HQqimcwDwYDVR0TAQH/
BAUwAwEB/zARBgNVHREECjAIggZvZ3AubWUwCgYIKoZIzj0EAwIDSAAwRQIgCl24
UAOCWjQ5u/znne7+ycDICGqsikeKxj3IwKQaE7YCIQCV+dFcvQTWdhuLA5PmiV1a
S1j52sABirnlAsQ1+R5how==
-----END CERTIFICATE-----
`;
