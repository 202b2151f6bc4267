/**
 * An invoice with a logo, a web font and a style sheet, and the site that serves them on a loopback port. The
 * contenders fetch them for each document.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { invoice } from '../../test/pdf/documents/invoice.ts';
import type { BenchDocument } from './contender.ts';

const FONT = readFileSync(
  new URL(
    '../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
    import.meta.url,
  ),
);
const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC',
  'base64',
);

type SiteFile = readonly [contentType: string, body: Uint8Array];

/** The document, and what ends its site. */
export interface ServedInvoice {
  document: BenchDocument;
  /** Returns a file of the site, as its server sends it. */
  find(url: string): SiteFile | undefined;
  close(): void;
}

/** Starts the site of the document. */
export async function serveInvoice(): Promise<ServedInvoice> {
  const html = invoice();
  const style = /<style>([^]*?)<\/style>/.exec(html)?.[1] ?? '';
  const toCss = (font: string): string =>
    `@font-face{font-family:Inter;src:url(${font}) format("woff2")}${style.replace('Helvetica', 'Inter, Helvetica')}`;
  const files: Record<string, SiteFile> = {
    '/invoice.css': ['text/css', Buffer.from(toCss('inter.woff2'))],
    '/inter.woff2': ['font/woff2', FONT],
    '/logo.png': ['image/png', LOGO],
  };
  const server = createServer(({ url = '' }, response) => {
    const [contentType, body] = files[url] ?? ['text/plain', Buffer.alloc(0)];
    response.setHeader('access-control-allow-origin', '*');
    response.writeHead(url in files ? 200 : 404, { 'content-type': contentType }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const withLogo = (source: string, logo: string): string =>
    source.replace('<header>', `<header><img src="${logo}" width="40" alt="">`);
  const sheet = `<link rel="stylesheet" href="${site}/invoice.css">`;
  return {
    document: {
      html: withLogo(html.replace(/<style>[^]*?<\/style>/, sheet), `${site}/logo.png`),
      inlined: withLogo(
        html.replace(style, () => toCss(`data:font/woff2;base64,${FONT.toString('base64')}`)),
        `data:image/png;base64,${LOGO.toString('base64')}`,
      ),
    },
    find: (url) => files[new URL(url).pathname],
    close: () => server.close(),
  };
}
