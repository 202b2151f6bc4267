/** A TCP proxy before a server, which fails as networks and servers do. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * `refuse` closes the port and all connections; `silent` accepts and forwards nothing, as a black hole does;
 * `reset` resets every connection; a number forwards each piece of data so many milliseconds later.
 */
export type Fault = 'none' | 'refuse' | 'silent' | 'reset' | number;

export interface FaultProxy extends AsyncDisposable {
  port: number;
  /** Applies to all connections from now on. Connections that have been silent are closed. */
  set(fault: Fault): Promise<void>;
  /** The number of connections that are open. */
  countConnections(): number;
}

export async function startFaultProxy(targetPort: number, targetHost = '127.0.0.1'): Promise<FaultProxy> {
  let fault: Fault = 'none';
  const pairs = new Set<[Socket, Socket]>();

  function accept(client: Socket): void {
    if (fault === 'reset') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(targetPort, targetHost);
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    for (const [from, to] of [pair, pair.toReversed() as [Socket, Socket]]) {
      from.on('error', () => {});
      from.on('data', (data: Buffer) => forward(data, to));
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
    }
  }

  function forward(data: Buffer, to: Socket): void {
    if (fault === 'silent') return;
    if (typeof fault === 'number') setTimeout(() => void (to.destroyed || to.write(data)), fault);
    else if (!to.destroyed) to.write(data);
  }

  function dropAll(): void {
    for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy();
  }

  let server: Server | null = createServer(accept);
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server?.listen(port, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    const closed = new Promise<unknown>((resolve) => (server ? server.close(resolve) : resolve(null)));
    server = null;
    dropAll();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    countConnections: () => pairs.size,
    async set(next) {
      const before = fault;
      fault = next;
      if (next === 'refuse') return close();
      if (before === 'silent' || next === 'reset') dropAll();
      if (server) return;
      server = createServer(accept);
      await listen(port);
    },
    [Symbol.asyncDispose]: close,
  };
}
