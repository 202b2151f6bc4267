/** The TCP proxy that puts faults between the service and its engines. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const DELAY_MS = 300;

let engine: Server;
let proxy: TcpProxy;

/** An engine that sends back what it receives, and ends when its client ends. */
before(async () => {
  engine = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1');
  await once(engine, 'listening');
});
after(() => void engine.close());

beforeEach(async () => {
  const { port: targetPort } = engine.address() as AddressInfo;
  proxy = await openTcpProxy({ targetPort, delayMs: DELAY_MS, flapMs: 50 });
});
afterEach(() => proxy[Symbol.asyncDispose]());

async function open(): Promise<Socket> {
  const socket = connect(proxy.port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** Sends a text, and returns what comes back; rejects if the connection ends first. */
function echo(socket: Socket, text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let received = '';
  const onData = (bytes: Buffer): void => {
    received += bytes.toString();
    if (received.length >= text.length) resolve(received);
  };
  const onClose = (): void => reject(new Error('closed'));
  socket.on('data', onData).once('close', onClose).write(text);
  return promise.finally(() => socket.off('data', onData).off('close', onClose));
}

/** Returns how a connection ended: the code of its error, or `closed`. */
async function waitForEnd(socket: Socket): Promise<string> {
  let code = 'closed';
  socket.on('error', (error: NodeJS.ErrnoException) => (code = error.code ?? error.message));
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return code;
}

describe('a TCP proxy', () => {
  it('pass: forwards bytes and the ends of both directions', async () => {
    const socket = await open();
    const long = 'x'.repeat(1_000_000);
    assert.equal(await echo(socket, long), long);
    socket.end();
    assert.equal(await waitForEnd(socket.resume()), 'closed');
  });

  it('refuse: closes connections and refuses new ones, until it is over', async () => {
    const socket = await open();
    await echo(socket, 'a');
    await proxy.set('refuse');
    await waitForEnd(socket);
    await assert.rejects(open(), { code: 'ECONNREFUSED' });
    await proxy.set('pass');
    assert.equal(await echo(await open(), 'b'), 'b');
  });

  it('blackHole: accepts connections on which no byte arrives, and continues them afterwards', async () => {
    const socket = await open();
    await echo(socket, 'a');
    await proxy.set('blackHole');
    const fresh = await open();
    let received = '';
    for (const each of [socket, fresh]) {
      each.on('data', (bytes) => (received += bytes.toString()));
      each.write('lost');
    }
    await delay(200);
    assert.deepEqual([received, socket.closed, fresh.closed], ['', false, false]);
    await proxy.set('pass');
    await Promise.all([once(socket, 'data'), once(fresh, 'data')]);
    assert.equal(received, 'lostlost');
  });

  it('lose: a connection on which bytes were lost never works again; others do', async () => {
    const [sending, silent] = [await open(), await open()];
    for (const socket of [sending, silent]) await echo(socket, 'a');
    await proxy.set('lose');
    const fresh = await open();
    let received = '';
    for (const each of [sending, fresh]) {
      each.on('data', (bytes) => (received += bytes.toString()));
      each.write('lost');
    }
    await delay(200);
    await proxy.set('pass');
    for (const each of [sending, fresh]) each.write('lost too');
    assert.equal(await echo(silent, 'b'), 'b');
    await delay(200);
    assert.deepEqual([received, sending.closed, fresh.closed], ['', false, false]);
    assert.equal(await echo(await open(), 'c'), 'c');
  });

  it('reset: resets open connections, and new ones after they are accepted', async () => {
    const socket = await open();
    await echo(socket, 'a');
    const ended = waitForEnd(socket);
    await proxy.set('reset');
    assert.equal(await ended, 'ECONNRESET');
    const before = proxy.accepted;
    assert.equal(await waitForEnd(connect(proxy.port, '127.0.0.1').resume()), 'ECONNRESET');
    assert.equal(proxy.accepted, before + 1);
  });

  it('delay: what the engine sends arrives later, in order', async () => {
    await proxy.set('delay');
    const socket = await open();
    const texts = Array.from({ length: 200 }, (_, n) => `<${n}>`);
    let received = '';
    socket.on('data', (bytes) => (received += bytes.toString()));
    const startedAt = performance.now();
    for (const text of texts) {
      socket.write(text);
      await setImmediate();
    }
    while (received.length < texts.join('').length) {
      await once(socket, 'data');
      assert.ok(performance.now() - startedAt >= DELAY_MS - 5);
    }
    assert.equal(received, texts.join(''));
  });

  it('delay: takes another time than that of the options', async () => {
    await proxy.set('delay', 2 * DELAY_MS);
    const socket = await open();
    const startedAt = performance.now();
    await echo(socket, 'a');
    assert.ok(performance.now() - startedAt >= 2 * DELAY_MS - 5);
  });

  it('flap: alternates between reset and pass', async () => {
    await proxy.set('flap');
    const seen: string[] = [];
    while (seen.length < 4) {
      const outcome = await open()
        .then((socket) =>
          echo(
            socket.on('error', () => {}),
            'a',
          ),
        )
        .then(
          () => 'pass',
          () => 'fault',
        );
      if (outcome !== seen.at(-1)) seen.push(outcome);
    }
    assert.deepEqual(seen, ['fault', 'pass', 'fault', 'pass']);
  });
});
