import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { HOSTILE_PAGES, PAGE } from './hostile-pages.ts';

/** Handles one request. `path` is the part of the URL after the id. */
export type Behaviour = (socket: Socket, path: string) => void;

const HTML = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';
const head = (lines: string, status = '200 OK') => `HTTP/1.1 ${status}\r\n${lines}\r\n`;
const send =
  (text: string | Buffer): Behaviour =>
  (socket) =>
    socket.end(text);
/** Returns a response with the right Content-Length. */
export const withLength = (body: string | Buffer, lines = 'Content-Type: text/html\r\n', status = '200 OK') =>
  Buffer.concat([
    Buffer.from(head(`${lines}Content-Length: ${Buffer.byteLength(body)}\r\n`, status)),
    Buffer.from(body),
  ]);
const page = (lines: string, status?: string): Behaviour => send(withLength(PAGE, lines, status));
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const CHUNKED = `${HTML}Transfer-Encoding: chunked\r\n\r\n`;

/** Text without a declared encoding. */
const UNDECLARED: Record<string, Buffer> = {
  shift_jis: Buffer.from('\x83\x65\x83\x58\x83\x67\x82\xcc ', 'latin1'),
  gb18030: Buffer.from('\xd6\xd0\xce\xc4 &#1;', 'latin1'),
  koi8: Buffer.from('\xf0\xd2\xc9\xd7\xc5\xd4 ', 'latin1'),
  latin1: Buffer.from('caf\xe9 na\xefve \xfcber ', 'latin1'),
  e9: Buffer.from('\xe9', 'latin1'),
};

/** Writes `first`, then repeats `block` as fast as the client reads. */
function flood(socket: Socket, first: string | Buffer, block: string): void {
  const bytes = Buffer.from(block.repeat(Math.ceil(65_536 / block.length)));
  const pump = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.write(first);
  socket.on('drain', pump);
  pump();
}

/** Writes `first`, then `piece` every `everyMs` milliseconds. */
function drip(socket: Socket, first: string, piece: string, everyMs: number): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.on('close', () => clearInterval(timer));
}

const redirect = (location: string): Behaviour =>
  send(head(`Location: ${location}\r\nContent-Length: 0\r\n`, '302 Found'));

function redirectMore(socket: Socket, path: string): void {
  const left = Number(path.slice(1) || '3');
  if (left <= 0) page('Content-Type: text/html\r\n')(socket, '');
  else redirect(`/redirect_n/${left - 1}`)(socket, '');
}

export const REDIRECTS: Record<string, Behaviour> = {
  redirect_3: redirect('/redirect_n/2'),
  redirect_10: redirect('/redirect_n/9'),
  redirect_11: redirect('/redirect_n/10'),
  redirect_n: redirectMore,
  redirect_loop: redirect('/redirect_loop'),
  redirect_pair: (socket, path) =>
    redirect(path === '/b' ? '/redirect_pair' : '/redirect_pair/b')(socket, path),
  redirect_cookie: (socket, path) =>
    (path === '/in' ? page('Content-Type: text/html\r\n') : redirect('/redirect_cookie/in'))(socket, path),
  redirect_none: page('Content-Type: text/html\r\n', '302 Found'),
  redirect_empty: redirect(''),
  redirect_file: redirect('file:///etc/passwd'),
  redirect_data: redirect('data:text/html,<title>x</title>'),
  redirect_js: redirect('javascript:alert(1)'),
  redirect_dec_ip: redirect('http://2130706433/'),
  redirect_userinfo: redirect('http://user:secret@127.93.184.14/'),
  redirect_backslash: redirect('\\\\127.0.0.1\\x'),
  redirect_private: redirect('http://10.0.0.5/'),
  redirect_port: redirect('http://public.test-zone.com:25/'),
  redirect_bad_url: redirect('http://[::1'),
  redirect_utf8: (socket, path) =>
    (path === '' ? redirect('/redirect_utf8/p\u00e4ge-\u65e5\u672c') : page('Content-Type: text/html\r\n'))(
      socket,
      path,
    ),
  redirect_huge_location: redirect(`/gzip_ok?${'x'.repeat(100_000)}`),
  redirect_two_locations: send(
    head('Location: /gzip_ok\r\nLocation: http://10.0.0.5/\r\nContent-Length: 0\r\n', '302 Found'),
  ),
  redirect_mapped: redirect('http://[::ffff:127.0.0.1]/'),
  redirect_octal: redirect('http://0177.1/'),
  redirect_localhost: redirect('http://localhost./'),
  redirect_gopher: redirect('gopher://127.0.0.1:6379/_x'),
  redirect_no_host: redirect('http://'),
  redirect_grows: (socket, path) => redirect(`/redirect_grows${path}/x`)(socket, path),
  redirect_endless_body: (socket) =>
    flood(socket, head('Location: /gzip_ok\r\n', '302 Found'), 'x'.repeat(1024)),
  redirect_slow_body: (socket) =>
    drip(socket, head('Location: /gzip_ok\r\nContent-Length: 5000\r\n', '302 Found'), 'x', 100),
};

/** Response heads that are late, malformed or endless. */
export const BROKEN_HEADS: Record<string, Behaviour> = {
  slow_headers: () => {},
  header_trickle: (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX-Slow: ', 'x', 100),
  slow_first_byte: (socket, path) =>
    void setTimeout(() => page('Content-Type: text/html\r\n')(socket, path), 2500),
  status_99999: page('', '99999 Much'),
  status_000: page('', '000 None'),
  status_noreason: send(
    Buffer.concat([
      Buffer.from(`HTTP/1.1 200\r\nContent-Type: text/html\r\nContent-Length: ${PAGE.length}\r\n\r\n`),
      Buffer.from(PAGE),
    ]),
  ),
  status_abc: page('', 'abc Letters'),
  status_100_only: send('HTTP/1.1 100 Continue\r\n\r\n'),
  reason_endless: (socket) => flood(socket, 'HTTP/1.1 200 ', 'x'),
  blank_lines_endless: (socket) => flood(socket, '', '\r\n'),
  other_protocol: send('SSH-2.0-OpenSSH_9.9\r\n'),
  encoding_twice: page('Content-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Encoding: gzip\r\n'),
  encoding_after_identity: send(
    withLength(
      gzipSync(PAGE),
      'Content-Type: text/html\r\nContent-Encoding: identity\r\nContent-Encoding: gzip\r\n',
    ),
  ),
  http_09: send(PAGE),
  icy: send(`ICY 200 OK\r\nContent-Type: text/html\r\n\r\n${PAGE}`),
  http_2_line: send(`HTTP/2 200\r\ncontent-type: text/html\r\n\r\n${PAGE}`),
  close_now: (socket) => socket.end(),
  rst: (socket) => socket.resetAndDestroy(),
  rst_after_head: (socket) =>
    void socket.write(`${HTML}Content-Length: 5000\r\n\r\n<title>`, () => socket.resetAndDestroy()),
  rst_before_title: (socket) =>
    void socket.write(`${HTML}\r\n<html><head>`, () => setTimeout(() => socket.resetAndDestroy(), 20)),
  rst_after_title: (socket) =>
    void socket.write(`${HTML}\r\n${PAGE.slice(0, 100)}`, () =>
      setTimeout(() => socket.resetAndDestroy(), 20),
    ),
  lf_only: send(`HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: ${PAGE.length}\n\n${PAGE}`),
  h2_preface_plain: send(
    Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100, 0, 0, 0, 4, 1, 0, 0, 0, 0]),
  ),
  header_1mb: page(`X-Big: ${'x'.repeat(1_000_000)}\r\nContent-Type: text/html\r\n`),
  headers_10k: page(
    `${Array.from({ length: 10_000 }, (_, n) => `X-${n}: v\r\n`).join('')}Content-Type: text/html\r\n`,
  ),
  header_endless: (socket) => flood(socket, 'HTTP/1.1 200 OK\r\n', 'X-More: yes\r\n'),
  header_no_colon: page('Content-Type: text/html\r\nno colon here\r\n'),
  header_obsfold: page('Content-Type: text/html\r\nX-Folded: one\r\n two\r\n'),
  header_space_colon: page('Content-Type : text/html\r\n'),
  header_nul: page('Content-Type: text/html\r\nX-Nul: a\u0000b\r\n'),
  header_empty_name: page('Content-Type: text/html\r\n: value\r\n'),
  header_bare_cr: page('Content-Type: text/html\r\nX-Cr: a\rb\r\n'),
  header_proto: page('Content-Type: text/html\r\n__proto__: x\r\nconstructor: y\r\n'),
  cookies_1000: page(
    `Content-Type: text/html\r\n${Array.from({ length: 900 }, (_, n) => `Set-Cookie: c${n}=v\r\n`).join('')}`,
  ),
  cl_overflow: send(`${HTML}Content-Length: 99999999999999999999999\r\n\r\n${PAGE}`),
  cl_plus: send(`${HTML}Content-Length: +${PAGE.length}\r\n\r\n${PAGE}`),
  cl_negative: send(`${HTML}Content-Length: -1\r\n\r\n${PAGE}`),
  cl_hex: send(`${HTML}Content-Length: 0x20\r\n\r\n${PAGE}`),
  cl_two: send(`${HTML}Content-Length: 10\r\nContent-Length: ${PAGE.length}\r\n\r\n${PAGE}`),
  cl_and_te: send(`${HTML}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(PAGE)}0\r\n\r\n`),
  flood_103: (socket) => flood(socket, '', 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n'),
  flood_100: (socket) => flood(socket, '', 'HTTP/1.1 100 Continue\r\n\r\n'),
  several_100: (socket, path) => {
    socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n\r\nHTTP/1.1 100\r\n\r\n');
    page('Content-Type: text/html\r\n')(socket, path);
  },
  once_103: (socket, path) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n');
    page('Content-Type: text/html\r\n')(socket, path);
  },
  status_101: send(head('Upgrade: websocket\r\nConnection: Upgrade\r\n', '101 Switching Protocols')),
  tls_alert_plain: send(Buffer.from([0x15, 3, 1, 0, 2, 2, 40])),
};

/** Bodies that contradict their headers, or are unusual themselves. */
export const BODIES: Record<string, Behaviour> = {
  body_trickle: (socket) => drip(socket, `${HTML}\r\n<title>slow</title>`, 'x', 200),
  trickle_no_title: (socket) => drip(socket, `${HTML}\r\n`, '<', 200),
  endless_body: (socket) => flood(socket, `${HTML}\r\n${PAGE.slice(0, 120)}`, 'endless '),
  endless_head: (socket) =>
    flood(socket, `${HTML}\r\n<head><title>hostile</title>`, '<meta name=a content=b>'),
  cl_short: send(
    Buffer.concat([
      Buffer.from(`${HTML}Content-Length: ${PAGE.length}\r\n\r\n${PAGE}`),
      Buffer.from('surplus'),
    ]),
  ),
  cl_long: send(`${HTML}Content-Length: 100000\r\n\r\n${PAGE}`),
  two_responses: send(Buffer.concat([withLength(PAGE), withLength('<title>poison</title>')])),
  chunk_ext_flood: (socket) => flood(socket, `${CHUNKED}${chunk(PAGE)}1;`, 'extension=value;'),
  chunk_ext_silent: (socket) => flood(socket, `${CHUNKED}1;`, 'extension=value;'),
  chunk_tiny: (socket) =>
    socket.end(`${CHUNKED}${Array.from(PAGE.padEnd(300_000), chunk).join('')}0\r\n\r\n`),
  chunk_no_end: (socket) => socket.end(`${CHUNKED}${chunk(PAGE)}`),
  chunk_bad_size: send(`${CHUNKED}zz\r\n${PAGE}\r\n0\r\n\r\n`),
  chunk_negative: send(`${CHUNKED}-5\r\n${PAGE}\r\n0\r\n\r\n`),
  chunk_huge_size: send(`${CHUNKED}ffffffffffffffffff\r\n${PAGE}`),
  trailers_endless: (socket) => flood(socket, `${CHUNKED}${chunk(PAGE)}0\r\n`, 'X-Trailer: yes\r\n'),
  te_unknown: send(`${HTML}Transfer-Encoding: unknown\r\n\r\n${PAGE}`),
  te_twice: send(
    `${HTML}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(PAGE)}0\r\n\r\n`,
  ),
  te_twice_list: send(`${HTML}Transfer-Encoding: chunked, chunked\r\n\r\n${chunk(PAGE)}0\r\n\r\n`),
  status_204_body: send(withLength(PAGE, 'Content-Type: text/html\r\n', '204 No Content')),
  status_304: page('Content-Type: text/html\r\n', '304 Not Modified'),
  status_206: page('Content-Type: text/html\r\nContent-Range: bytes 0-99/5000\r\n', '206 Partial Content'),
  status_407: page(
    'Content-Type: text/html\r\nProxy-Authenticate: Basic realm="x"\r\n',
    '407 Proxy Authentication Required',
  ),
  status_401: page('Content-Type: text/html\r\nWWW-Authenticate: Basic realm="x"\r\n', '401 Unauthorized'),
  status_404: page('Content-Type: text/html\r\n', '404 Not Found'),
  status_500: page('Content-Type: text/html\r\n', '500 Oops'),
  status_999: page('Content-Type: text/html\r\n', '999 Request denied'),
  ct_missing: page(''),
  ct_png: send(withLength(Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'Content-Type: image/png\r\n')),
  ct_pdf_huge: (socket) =>
    flood(socket, head('Content-Type: application/pdf\r\nContent-Length: 5000000000\r\n'), '%PDF'),
  ct_garbage: page('Content-Type: ;;;===\r\n'),
  ct_twice: page('Content-Type: text/plain\r\nContent-Type: text/html\r\n'),
  ct_charset_bogus: page('Content-Type: text/html; charset=bogus-8\r\n'),
  charset_lie: send(
    withLength(HOSTILE_PAGES.charset_lie?.() ?? '', 'Content-Type: text/html; charset=utf-8\r\n'),
  ),
  page_20mb: (socket, path) =>
    send(withLength(`${PAGE}${'<p>A paragraph of a long page. '.repeat(650_000)}`))(socket, path),
  ...Object.fromEntries(
    Object.entries(UNDECLARED).map(([name, bytes]) => [
      `undeclared_${name}`,
      send(withLength(Buffer.concat([Buffer.from('<title>'), Buffer.alloc(2 * 1024 * 1024, bytes)]))),
    ]),
  ),
  xml_bomb: send(withLength(HOSTILE_PAGES.xml_bomb?.() ?? '', 'Content-Type: application/xhtml+xml\r\n')),
  xxe: send(withLength(HOSTILE_PAGES.xxe?.() ?? '', 'Content-Type: application/xhtml+xml\r\n')),
  empty_200: send(withLength('')),
  good: page('Content-Type: text/html\r\n'),
};
