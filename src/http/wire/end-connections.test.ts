import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createConnectionEnder } from './end-connections.ts';

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
