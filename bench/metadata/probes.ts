/** Unusual pages and responses, and the verdict on what a candidate made of them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { PeerAnswer } from './peers.ts';

export interface Probe {
  what: string;
  serve: (request: IncomingMessage, response: ServerResponse) => void;
  isRight: (answer: PeerAnswer | null, origin: string, tookMs: number) => boolean;
}

const page = (head: string, body = '') =>
  `<!DOCTYPE html><html><head>${head}</head><body>${body}</body></html>`;
const html =
  (text: string, headers: Record<string, string> = {}, status = 200): Probe['serve'] =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(text);
const titled = page('<title>T</title>');
const isTitled: Probe['isRight'] = (answer) => answer?.title === 'T';
const encoded =
  (encoding: string, bytes: Buffer): Probe['serve'] =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': encoding }).end(bytes);

const MARKUP: Probe[] = [
  {
    what: 'white space in titles is collapsed',
    serve: html(page('<title>\n a \n  b </title>')),
    isRight: (answer) => answer?.title === 'a b',
  },
  {
    what: 'character references are decoded once',
    serve: html(page('<title>&amp;lt; &eacute;</title>')),
    isRight: (answer) => answer?.title === '&lt; é',
  },
  {
    what: 'an SVG title is not the title',
    serve: html(page('', '<svg><title>Icon</title></svg><p>x</p>')),
    isRight: (answer) => answer !== null && !answer.title,
  },
  {
    what: 'the first of two titles counts',
    serve: html(page('<title>T</title><title>U</title>')),
    isRight: isTitled,
  },
  {
    what: 'tags in comments, scripts and templates do not count',
    serve: html(
      page(
        '<!-- <title>A</title> --><script>"<title>B</title>"</script><template><title>C</title></template><title>T</title>',
      ),
    ),
    isRight: isTitled,
  },
  {
    what: 'tags in the body count',
    serve: html(page('<title>T</title>', '<meta name="description" content="D">')),
    isRight: (answer) => answer?.description === 'D',
  },
  {
    what: 'keys in upper case, and name= instead of property=',
    serve: html(page('<title>x</title><meta name="OG:Title" content="T">')),
    isRight: (answer) => answer?.['og.title'] === 'T',
  },
  {
    what: 'the first of duplicate keys counts',
    serve: html(
      page('<title>x</title><meta property="og:title" content="T"><meta property="og:title" content="U">'),
    ),
    isRight: (answer) => answer?.['og.title'] === 'T',
  },
  {
    what: 'twitter:image:src',
    serve: html(page('<title>x</title><meta name="twitter:image:src" content="http://a.example/i.png">')),
    isRight: (answer) => answer?.['twitter.image'] === 'http://a.example/i.png',
  },
  {
    what: 'relative URLs become absolute',
    serve: html(page('<title>x</title><meta property="og:image" content="i.png">')),
    isRight: (answer, origin) => answer?.['og.image'] === `${origin}/a/i.png`,
  },
  {
    what: 'and are resolved against the base element',
    serve: html(page('<title>x</title><base href="/c/"><link rel="icon" href="i.png">')),
    isRight: (answer, origin) => answer?.favicon === `${origin}/c/i.png`,
  },
  {
    what: 'no javascript: URL is returned',
    serve: html(page('<title>x</title><link rel="icon" href="javascript:alert(1)">')),
    isRight: (answer) => answer !== null && !/javascript/i.test(answer.favicon ?? ''),
  },
  {
    what: '/favicon.ico if no icon is declared',
    serve: html(titled),
    isRight: (answer, origin) => answer?.favicon === `${origin}/favicon.ico`,
  },
  {
    what: 'language tags become canonical',
    serve: html('<html lang="en_us"><title>x</title>'),
    isRight: (answer) => answer?.language === 'en-US',
  },
];

const SERVERS: Probe[] = [
  { what: 'an error page is described', serve: html(titled, {}, 404), isRight: isTitled },
  {
    what: 'application/xhtml+xml',
    serve: html(titled, { 'content-type': 'application/xhtml+xml' }),
    isRight: isTitled,
  },
  {
    what: 'no Content-Type',
    serve: (_request, response) => void response.end(titled),
    isRight: isTitled,
  },
  {
    what: 'an image is a result, not an error',
    serve: html('PNG', { 'content-type': 'image/png' }),
    isRight: (answer) => answer !== null && !answer.title,
  },
  { what: 'gzip', serve: encoded('gzip', gzipSync(titled)), isRight: isTitled },
  { what: 'brotli', serve: encoded('br', brotliCompressSync(titled)), isRight: isTitled },
  { what: 'zstd', serve: encoded('zstd', zstdCompressSync(titled)), isRight: isTitled },
  { what: 'raw deflate', serve: encoded('deflate', deflateRawSync(titled)), isRight: isTitled },
  { what: 'declares gzip, sends plain text', serve: encoded('gzip', Buffer.from(titled)), isRight: isTitled },
  {
    what: 'a redirect that needs its cookie',
    serve: (request, response) =>
      request.headers.cookie?.includes('seen=1') === true
        ? html(titled)(request, response)
        : void response.writeHead(302, { location: '/a/b', 'set-cookie': 'seen=1' }).end(),
    isRight: isTitled,
  },
  {
    what: 'a meta refresh as a redirect',
    serve: (request, response) =>
      html(request.url === '/to' ? titled : page('<meta http-equiv="refresh" content="0;url=/to">'))(
        request,
        response,
      ),
    isRight: isTitled,
  },
  {
    what: 'a page of 20 MB in under 100 ms',
    serve: html(page('<title>T</title>', '<p>text</p>'.repeat(1_900_000))),
    isRight: (answer, _origin, tookMs) => answer?.title === 'T' && tookMs < 100,
  },
  {
    what: 'the head of a body that never ends, in under 1 s',
    serve: (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .write(page('<title>T</title>', '<p>text</p>'.repeat(1_000)));
      const drip = setInterval(() => response.write('<p>'), 200);
      response.on('close', () => clearInterval(drip));
    },
    isRight: (answer, _origin, tookMs) => answer?.title === 'T' && tookMs < 1_000,
  },
];

export const PROBES: readonly Probe[] = [...MARKUP, ...SERVERS];
