/** The local page and domains of the recorded examples: nothing leaves this machine. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDnsServer } from '../../test/support/dns-server.ts';

const PDFJS = join(import.meta.dirname, '../../node_modules/pdfjs-dist/legacy/build');

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Shelves that come apart · Nordhyl</title>
<meta name="description" content="Oak and steel shelves without a single screw.">
<meta property="og:title" content="Build once, move often">
<meta property="og:description" content="Oak and steel shelves without a single screw.">
<meta property="og:site_name" content="Nordhyl">
<meta property="og:type" content="website">
<meta property="og:image" content="/cover.webp">
<meta name="twitter:card" content="summary_large_image">
<link rel="icon" href="/icon.svg">
<h1>Build once, move often</h1>
</html>`;

/** The site, and the DNS server that knows its name. */
export interface ExampleSite extends AsyncDisposable {
  /** The page of the metadata example. Its port is left out if it is 80. */
  url: string;
  /** Of the host of pdf.js, for drawing a PDF. */
  origin: string;
  dnsPort: number;
}

/** Starts the site. On port 80, which needs permission, its URLs look like those of the web. */
export async function startExampleSite(port: number): Promise<ExampleSite> {
  const site = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path === '/shelves') response.setHeader('content-type', 'text/html').end(PAGE);
    else if (path.startsWith('/pdfjs/') && !path.includes('..'))
      response.setHeader('content-type', 'text/javascript').end(readFileSync(join(PDFJS, path.slice(7))));
    else if (path === '/') response.setHeader('content-type', 'text/html').end('<title>empty</title>');
    else response.writeHead(404).end();
  }).listen(port, '127.0.0.1');
  await once(site, 'listening');
  const actual = (site.address() as AddressInfo).port;
  const suffix = actual === 80 ? '' : `:${actual}`;
  const dns = await startDnsServer({
    zones: {
      'gmial.com': { MX: [{ exchange: 'mx.gmial.com', priority: 10 }] },
      'mx.gmial.com': { A: ['93.184.215.14'] },
      'shop.example.com': { A: ['127.0.0.1'] },
    },
  });
  return {
    url: `http://shop.example.com${suffix}/shelves`,
    origin: `http://127.0.0.1:${actual}`,
    dnsPort: dns.port,
    [Symbol.asyncDispose]: async () => {
      site.closeAllConnections();
      site.close();
      await dns.close();
    },
  };
}
