import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the public site received. */
export interface SiteRequest {
  /** The local address of the connection. */
  address: string;
  host: string;
  path: string;
  headers: IncomingMessage['headers'];
}

/**
 * The public host of the egress cases. `/r?<url>` redirects to the URL with 302, `/link` preloads from a
 * private host, and other paths return a small page.
 */
export interface Site extends AsyncDisposable {
  requests: SiteRequest[];
  /** TCP connections accepted at the site's own addresses. */
  connections: number;
  /** Connections to any other address. */
  strays: { address: string; port: number }[];
  /** The first port that the site listens on. */
  port: number;
  /** Closes all open connections. */
  dropConnections(): void;
  close(): Promise<void>;
}

export interface SiteOptions {
  /** The address to listen on: a wildcard in a small internet, otherwise a loopback address. */
  listenOn: string;
  ports: number[];
  /** The addresses of the site; a connection to any other is a stray. Default: `listenOn`. */
  addresses?: string[];
  /** Replaces the default pages. */
  answer?: RequestListener;
}

const answerCase: RequestListener = (request, response) => {
  const [path, query = ''] = (request.url ?? '/').split(/\?(.*)/s);
  if (path === '/r') {
    response.writeHead(302, { location: decodeURIComponent(query) }).end('moved');
  } else if (path === '/link') {
    const link = '<http://10.0.0.5/link-header.css>; rel=preload; as=style';
    response.writeHead(200, { 'content-type': 'text/html', link }).end('<title>link</title>');
  } else {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>public</title><p>public page');
  }
};

const unmap = (address: string | undefined) => (address ?? '').replace(/^::ffff:(?=\d)/, '');

/** Opens the site. */
export async function openSite(options: SiteOptions): Promise<Site> {
  const own = new Set(options.addresses ?? [options.listenOn]);
  const servers: Server[] = [];
  const site = { requests: [] as SiteRequest[], connections: 0, strays: [] as Site['strays'], port: 0 };
  for (const port of options.ports) {
    const server = createServer((request, response) => {
      const address = unmap(request.socket.localAddress);
      const { url = '', headers } = request;
      site.requests.push({ address, host: headers.host ?? '', path: url, headers });
      (options.answer ?? answerCase)(request, response);
    });
    server.on('connection', (socket) => {
      const address = unmap(socket.localAddress);
      if (own.has(address)) {
        site.connections += 1;
        return;
      }
      site.strays.push({ address, port: socket.localPort ?? 0 });
      socket.destroy();
    });
    server.listen(port, options.listenOn);
    await once(server, 'listening');
    servers.push(server);
    site.port ||= (server.address() as AddressInfo).port;
  }
  const close = async () => {
    const closed = servers.map((server) => once(server, 'close'));
    for (const server of servers) server.close().closeAllConnections();
    await Promise.all(closed);
  };
  const dropConnections = () => {
    for (const server of servers) server.closeAllConnections();
  };
  return Object.assign(site, { dropConnections, close, [Symbol.asyncDispose]: close });
}
