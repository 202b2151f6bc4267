/** A TCP proxy that loses packets, refuses connections or resets them, in front of a server of a test. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * `pass` forwards. `lose` accepts and forwards nothing: connections of that time never work again. `reset`
 * resets all connections, also new ones. `delay` forwards replies 5 s late.
 */
export type Fault = 'pass' | 'lose' | 'reset' | 'delay';

const DELAY_MS = 5_000;

export interface FaultProxy extends AsyncDisposable {
  port: number;
  set(fault: Fault): void;
}

export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  let fault: Fault = 'pass';
  const sockets = new Set<Socket>();
  const lost = new WeakSet<Socket>();
  const server = createServer((client) => {
    track(client);
    if (fault === 'reset') {
      client.resetAndDestroy();
      return;
    }
    const target = connect(targetPort, '127.0.0.1');
    track(target);
    client.on('data', (chunk) => {
      if (fault === 'lose') lost.add(client);
      if (!lost.has(client)) target.write(chunk);
    });
    target.on('data', (chunk) => {
      if (fault === 'lose') lost.add(client);
      if (lost.has(client)) return;
      if (fault === 'delay') setTimeout(() => client.write(chunk), DELAY_MS).unref();
      else client.write(chunk);
    });
    client.on('close', () => target.destroy());
    target.on('close', () => client.destroy());
  });
  function track(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      fault = next;
      if (fault === 'reset') for (const socket of sockets) socket.resetAndDestroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
