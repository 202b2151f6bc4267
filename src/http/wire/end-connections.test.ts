import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { scaledMs } from '../../../test/support/patience.ts';
import { closeStalledReaders, createConnectionEnder } from './end-connections.ts';

const RESPONSE = Buffer.alloc(32 * 1024 * 1024, 'x');

async function listen(): Promise<{ port: number; end: () => Promise<void> }> {
  const server = createServer((_request, response) => response.end(RESPONSE));
  const end = createConnectionEnder(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, end };
}

describe('a server that stops', () => {
  it('closes an idle connection within two seconds', async () => {
    const { port, end } = await listen();
    const idle = connect(port, '127.0.0.1').resume();
    await once(idle, 'connect');
    await Promise.all([end(), once(idle, 'close')]);
  });

  it('sends a response to its end, even if it is read slowly', async () => {
    const { port, end } = await listen();
    const request = get({ port, host: '127.0.0.1', headers: { connection: 'keep-alive' } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const ended = end();
    // Longer than two sweeps.
    await setTimeout(1500);
    let bytes = 0;
    for await (const chunk of response) bytes += (chunk as Buffer).length;
    assert.equal(bytes, RESPONSE.length);
    await ended;
  });
});

describe('a connection', () => {
  const STALL_MS = scaledMs(500);

  /** Starts a server whose connections stall after half a second. */
  async function listenWithStalls(listener: RequestListener) {
    const server = createServer({ keepAliveTimeout: 2 * STALL_MS }, listener);
    closeStalledReaders(server);
    server.timeout = STALL_MS;
    const sockets: Socket[] = [];
    server.on('connection', (socket) => void sockets.push(socket));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1').pause();
    client.on('error', () => {});
    client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    return { server, sockets, client };
  }

  it('whose client never reads its response is closed, and what was left to send is freed', async () => {
    const { server, sockets, client } = await listenWithStalls((_request, response) =>
      response.end(RESPONSE),
    );
    await once(server, 'request');
    const startMs = performance.now();
    assert.ok((sockets[0]?.writableLength ?? 0) > 0);
    await once(sockets[0] as Socket, 'close');
    assert.ok(performance.now() - startMs > STALL_MS * 0.9);
    assert.equal(sockets[0]?.writableLength, 0);
    client.destroy();
    server.close();
  });

  it('whose client reads slowly gets its whole response, in a multiple of that time', async () => {
    const { server, client } = await listenWithStalls((_request, response) => response.end(RESPONSE));
    const startMs = performance.now();
    let bytes = 0;
    for await (const chunk of client) {
      bytes += (chunk as Buffer).length;
      if (bytes >= RESPONSE.length) break;
      await setTimeout(STALL_MS / 100);
    }
    assert.ok(bytes >= RESPONSE.length, `${bytes}`);
    assert.ok(performance.now() - startMs > STALL_MS * 1.5);
    client.destroy();
    server.close();
  });

  it('whose response has not begun is not closed, and closes as before when it is idle', async () => {
    const { server, sockets, client } = await listenWithStalls((_request, response) => {
      void setTimeout(STALL_MS * 3).then(() => response.end('late'));
    });
    const text = once(client.setEncoding('utf8').resume(), 'data');
    assert.match(String(await text), /^HTTP\/1\.1 200 /);
    const startMs = performance.now();
    await once(sockets[0] as Socket, 'close');
    assert.ok(performance.now() - startMs > STALL_MS * 1.5);
    server.close();
  });
});
