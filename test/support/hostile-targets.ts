/**
 * Web servers that misbehave, over raw TCP and TLS. The first segment of the path is the id of a behavior.
 * They run in their own process (startHostileTargets), so that tests measure only the fetcher.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { BODIES, BROKEN_HEADS, REDIRECTS, withLength, type Behaviour } from './hostile-behaviours.ts';
import { CODED_BODIES, HOSTILE_PAGES, PAGE } from './hostile-pages.ts';
import { TEST_CERTIFICATE, TEST_KEY } from './tls-identity.ts';

const BEHAVIOURS: Record<string, Behaviour> = { ...REDIRECTS, ...BROKEN_HEADS, ...BODIES };

/** The ids that this server supports. */
export const HOSTILE_IDS = [
  ...new Set([...Object.keys(BEHAVIOURS), ...Object.keys(HOSTILE_PAGES), ...Object.keys(CODED_BODIES)]),
];

function act(socket: Socket, id: string, rest: string): void {
  const behaviour = BEHAVIOURS[id];
  const coded = CODED_BODIES[id]?.();
  const document = HOSTILE_PAGES[id]?.();
  if (behaviour !== undefined) behaviour(socket, rest);
  else if (coded !== undefined)
    socket.end(withLength(coded[1], `Content-Type: text/html\r\nContent-Encoding: ${coded[0]}\r\n`));
  else
    socket.end(
      withLength(
        document ?? 'unknown',
        'Content-Type: text/html; charset=utf-8\r\n',
        document === undefined ? '404 Not Found' : '200 OK',
      ),
    );
}

function serve(socket: Socket): void {
  let received = '';
  socket.on('error', () => {});
  socket.on('data', (bytes: Buffer) => {
    received += bytes.toString('latin1');
    const end = received.indexOf('\r\n\r\n');
    if (end === -1) return;
    const [, id = '', rest = ''] = /^\S+ \/(\w+)([^\s?]*)/.exec(received) ?? [];
    received = received.slice(end + 4);
    act(socket, id, rest);
  });
}

async function listen(server: Server): Promise<number> {
  server.listen(0, HOSTILE_ADDRESS);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** The loopback address of these servers. It is not 127.0.0.1, which stays blocked. */
export const HOSTILE_ADDRESS = '127.93.184.14';

export interface HostileTargets extends AsyncDisposable {
  /** Plain HTTP: `http://127.93.184.14:<http>/<id>`. */
  http: number;
  /** TLS with a self-signed certificate. */
  selfSigned: number;
  /** These four respond to a ClientHello with an alert, nothing, plain HTTP, or by closing the connection. */
  alert: number;
  silent: number;
  plainOnTls: number;
  closing: number;
}

async function runServers(): Promise<void> {
  const identity = { key: TEST_KEY, cert: TEST_CERTIFICATE };
  const tls = createTlsServer(identity, serve).on('tlsClientError', () => {});
  const onHello = (answer: (socket: Socket) => void) =>
    createServer((socket) => void socket.on('error', () => {}).once('data', () => answer(socket)));
  process.send?.({
    http: await listen(createServer(serve)),
    selfSigned: await listen(tls),
    alert: await listen(onHello((socket) => socket.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 40])))),
    silent: await listen(onHello(() => {})),
    plainOnTls: await listen(onHello((socket) => socket.end(withLength(PAGE)))),
    closing: await listen(onHello((socket) => socket.end())),
  });
  process.on('disconnect', () => process.exit());
}

/** Starts the servers in their own process. */
export async function startHostileTargets(): Promise<HostileTargets> {
  const environment: NodeJS.ProcessEnv = { ...process.env };
  delete environment.NODE_TEST_CONTEXT;
  const child = fork(fileURLToPath(import.meta.url), ['serve'], { execArgv: [], env: environment });
  const [ports] = (await once(child, 'message')) as [Omit<HostileTargets, keyof AsyncDisposable>];
  return {
    ...ports,
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

if (process.argv[2] === 'serve' && process.send !== undefined) await runServers();
