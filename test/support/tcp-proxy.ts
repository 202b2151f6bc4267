/** A TCP proxy before an engine, whose faults a test switches while connections are open. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * The faults. What happens to open connections, and to new ones:
 *
 * | fault | open connections | new connections |
 * |---|---|---|
 * | `pass` | bytes are forwarded | forwarded |
 * | `refuse` | are closed, as by a server that ends | are refused |
 * | `blackHole` | stay open, no byte arrives | are accepted, no byte arrives |
 * | `lose` | stay open; one on which bytes were lost never works again | the same |
 * | `reset` | are reset | are accepted, then reset |
 * | `delay` | what the engine sends arrives `delayMs` later | the same |
 * | `flap` | `reset` and `pass` in turn, `flapMs` each | the same |
 *
 * The bytes that a black hole holds back arrive after it: TCP repeats what a broken network has lost. After
 * `lose` they do not, as if an address translation or a firewall had forgotten the connection.
 */
export type Fault = 'pass' | 'refuse' | 'blackHole' | 'lose' | 'reset' | 'delay' | 'flap';

export interface TcpProxyOptions {
  /** Of the engine. */
  targetPort: number;
  /** This machine by default. */
  targetHost?: string;
  /** 5,000 ms by default. */
  delayMs?: number;
  /** 500 ms by default. */
  flapMs?: number;
}

/** A pair of sockets: of the client, and of the engine. */
interface Pair {
  client: Socket;
  engine: Socket;
  isLost: boolean;
  /** Resolves when all that the engine has sent is forwarded. */
  forwarded: Promise<void>;
}

export async function openTcpProxy(options: TcpProxyOptions): Promise<TcpProxy> {
  const proxy = new TcpProxy(options);
  await proxy.set('pass');
  return proxy;
}

export class TcpProxy {
  readonly #options: Required<TcpProxyOptions>;
  readonly #pairs = new Set<Pair>();
  #server: Server | null = null;
  #port = 0;
  #fault: Fault = 'pass';
  #delayMs = 0;
  #flapping: NodeJS.Timeout | undefined;
  #accepted = 0;

  constructor(options: TcpProxyOptions) {
    this.#options = { targetHost: '127.0.0.1', delayMs: 5_000, flapMs: 500, ...options };
  }

  /** The port of the proxy. It stays the same while connections are refused. */
  get port(): number {
    return this.#port;
  }

  /** The number of connections that were accepted so far. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Switches to a fault. It is in effect when this resolves. `delayMs` replaces that of the options. */
  async set(fault: Fault, delayMs = this.#options.delayMs): Promise<void> {
    clearInterval(this.#flapping);
    this.#delayMs = delayMs;
    await this.#apply(fault === 'flap' ? 'reset' : fault);
    if (fault !== 'flap') return;
    const alternate = (): void => void this.#apply(this.#fault === 'reset' ? 'pass' : 'reset');
    this.#flapping = setInterval(alternate, this.#options.flapMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.set('refuse');
  }

  async #apply(fault: Fault): Promise<void> {
    this.#fault = fault;
    if (fault === 'refuse') return this.#stopListening();
    if (fault === 'reset') for (const pair of this.#pairs) this.#reset(pair);
    for (const pair of this.#pairs) this.#setFlow(pair);
    this.#server ??= await this.#listen();
  }

  async #listen(): Promise<Server> {
    // Half-open connections stay so: the engines' clients end them in either order.
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) =>
      this.#accept(client),
    );
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
    return server;
  }

  async #stopListening(): Promise<void> {
    for (const { client, engine } of this.#pairs) {
      client.destroy();
      engine.destroy();
    }
    const server = this.#server;
    this.#server = null;
    if (server !== null) await once(server.close(), 'close');
  }

  #accept(client: Socket): void {
    this.#accepted += 1;
    const { targetPort: port, targetHost: host } = this.#options;
    const engine = connect({ port, host, allowHalfOpen: true });
    const pair: Pair = { client, engine, isLost: false, forwarded: Promise.resolve() };
    this.#pairs.add(pair);
    for (const [socket, other] of [
      [client, engine],
      [engine, client],
    ] as const) {
      socket.setNoDelay(true);
      socket.on('error', () => this.#reset(pair));
      socket.once('close', () => {
        this.#pairs.delete(pair);
        other.destroySoon();
      });
    }
    client
      .on('data', (bytes) => void (this.#loses(pair) || engine.write(bytes)))
      .on('end', () => engine.end());
    engine
      .on('data', (bytes) => void (this.#loses(pair) || this.#forward(pair, () => client.write(bytes))))
      .on('end', () => this.#forward(pair, () => client.end()));
    if (this.#fault === 'reset') this.#reset(pair);
    else this.#setFlow(pair);
  }

  /** Stops the flow of both directions in a black hole, and continues it otherwise. */
  #setFlow({ client, engine }: Pair): void {
    for (const socket of [client, engine])
      if (this.#fault === 'blackHole') socket.pause();
      else socket.resume();
  }

  /** Checks whether bytes that arrive now are lost, and remembers it. */
  #loses(pair: Pair): boolean {
    pair.isLost ||= this.#fault === 'lose';
    return pair.isLost;
  }

  /** Forwards after all that came before it, in a delay not before its time. */
  #forward(pair: Pair, forward: () => void): void {
    const isDelayed = this.#fault === 'delay';
    const elapsed = isDelayed ? delay(this.#delayMs, undefined, { ref: false }) : Promise.resolve();
    pair.forwarded = forwardAfter([pair.forwarded, elapsed], forward);
  }

  #reset({ client, engine }: Pair): void {
    // Node neither closes a socket that is reset while its end is being sent, nor exits after that.
    if (client.writableEnded) client.destroy();
    else client.resetAndDestroy();
    engine.destroy();
  }
}

async function forwardAfter(events: readonly Promise<void>[], forward: () => void): Promise<void> {
  await Promise.all(events);
  forward();
}
