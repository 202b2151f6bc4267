/**
 * Serves the targets of the benchmark, in a process of its own that sends its port to the parent. /plain/N
 * and /gzip/N are the pages of ./pages.ts; /large/0 has 20 MB; /large/1 is the same without a title, so it is
 * read to the cap.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { makePage, makePages } from './pages.ts';

const plain = makePages().map(({ html }) => Buffer.from(html));
const gzip = plain.map((bytes) => gzipSync(bytes));
const large = Buffer.from(makePage(20 * 1_024 * 1_024, 20));
const untitled = Buffer.from(large.toString().replace('<title>', '<b>').replace('</title>', '</b>'));
const kinds: Record<string, Buffer[]> = { plain, gzip, large: [large, untitled] };

const server = createServer((request, response) => {
  const [, kind, at] = request.url!.split('?')[0]!.split('/');
  const bytes = kinds[kind ?? '']?.[Number(at)];
  if (bytes === undefined) {
    response.writeHead(404).end();
    return;
  }
  const encoding = kind === 'gzip' ? { 'content-encoding': 'gzip' } : {};
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': bytes.length, ...encoding });
  response.end(bytes);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
