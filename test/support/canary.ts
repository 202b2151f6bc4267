import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** A connection or datagram that reached a canary. */
export interface CanaryHit {
  protocol: 'tcp' | 'udp';
  /** The local address of the connection. */
  address: string;
  port: number;
}

/** Listeners on addresses that no request may reach. */
export interface Canary extends AsyncDisposable {
  hits: CanaryHit[];
  port: number;
  close(): Promise<void>;
}

export interface CanaryOptions {
  /** Local addresses to listen on. Outside a small internet: loopback addresses. */
  addresses: string[];
  /** The port for all addresses, TCP and UDP; 0 picks a free one. */
  port?: number;
}

async function listenTcp(address: string, port: number, hits: CanaryHit[]): Promise<Server> {
  const server = createServer((socket) => {
    hits.push({ protocol: 'tcp', address: socket.localAddress ?? address, port: socket.localPort ?? 0 });
    socket.on('error', () => {}).destroy();
  });
  server.listen(port, address);
  await once(server, 'listening');
  return server;
}

function readPort(server: Server): number {
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : 0;
}

/** Opens canaries and records each TCP connection and UDP datagram as a hit. */
export async function openCanary({ addresses, port = 0 }: CanaryOptions): Promise<Canary> {
  const hits: CanaryHit[] = [];
  const closers: (() => Promise<unknown>)[] = [];
  let shared = port;
  for (const address of addresses) {
    const server = await listenTcp(address, shared, hits);
    shared = readPort(server);
    const udp = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    udp.on('message', () => hits.push({ protocol: 'udp', address, port: shared }));
    udp.bind(shared, address);
    await once(udp, 'listening');
    closers.push(() => new Promise((resolve) => server.close(resolve)));
    closers.push(() => new Promise<void>((resolve) => udp.close(resolve)));
  }
  const close = async () => {
    await Promise.all(closers.map((closer) => closer()));
  };
  return { hits, port: shared, close, [Symbol.asyncDispose]: close };
}
