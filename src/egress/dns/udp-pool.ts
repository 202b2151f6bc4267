import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { ResolverLimits, ServerAddress } from './resolver.ts';
import { parseReply, type ExchangeResult } from './message.ts';

type Done = (result: ExchangeResult) => void;

/** A socket connected to the server. The kernel drops messages from any other address or port. */
interface Connection {
  socket: Socket;
  /** By id. Includes canceled questions: the late answers of a slow domain must not count as guesses. */
  sent: Map<number, { question: Buffer; done: Done }>;
  questionsLeft: number;
  unrelatedMessages: number;
}

/** If more messages than this match no question, an attacker is guessing ids: the questions move to TCP. */
const MAX_UNRELATED_MESSAGES = 64;

/**
 * UDP sockets to one server. Each question uses a random socket and a random id, and each socket is replaced
 * after `questionsPerSocket`, so that no source port lasts (RFC 5452 §9.2).
 */
export class UdpPool {
  readonly #server: ServerAddress;
  readonly #limits: ResolverLimits;
  readonly #slots: (Connection | undefined)[];
  readonly #open = new Set<Connection>();
  #isClosed = false;

  constructor(server: ServerAddress, limits: ResolverLimits) {
    this.#server = server;
    this.#limits = limits;
    this.#slots = Array.from({ length: limits.socketsPerServer });
  }

  /** Sends one question, after writing a random id into it. Has no timeout. */
  send(question: Buffer, done: Done): void {
    if (this.#isClosed) return done('network');
    const slot = randomInt(this.#slots.length);
    let connection = this.#slots[slot];
    if (!connection || connection.questionsLeft <= 0) connection = this.#slots[slot] = this.#connect();
    const { socket, sent } = connection;
    let id = randomInt(0x1_0000);
    while (sent.has(id)) id = randomInt(0x1_0000);
    question.writeUInt16BE(id, 0);
    sent.set(id, { question, done });
    connection.questionsLeft -= 1;
    if (connection.questionsLeft === 0)
      setTimeout(() => this.#end(connection, 'network'), this.#limits.attemptTimeoutMs).unref();
    try {
      socket.send(question);
    } catch {
      // The socket is not connected: no file descriptor is left, or the address cannot be a peer.
      this.#end(connection, 'network');
      done('network');
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#open) this.#end(connection, 'network');
  }

  #connect(): Connection {
    const { host, port } = this.#server;
    const family = isIPv6(host) ? 6 : 4;
    // A lookup that calls back immediately makes `connect` synchronous.
    const socket = createSocket({ type: `udp${family}`, lookup: (_h, _o, done) => done(null, host, family) });
    const { questionsPerSocket } = this.#limits;
    const connection = { socket, sent: new Map(), questionsLeft: questionsPerSocket, unrelatedMessages: 0 };
    this.#open.add(connection);
    socket.on('message', (bytes) => this.#receive(connection, bytes));
    socket.on('error', () => this.#end(connection, 'network'));
    socket.connect(port, host);
    // An idle resolver must not keep the process alive; a question in flight does, with its timer.
    socket.unref();
    return connection;
  }

  #receive(connection: Connection, bytes: Buffer): void {
    const { sent, questionsLeft } = connection;
    const id = bytes.length >= 2 ? bytes.readUInt16BE(0) : -1;
    const asked = sent.get(id);
    const result = asked ? parseReply(bytes, asked.question) : 'unrelated';
    if (asked && result !== 'unrelated') {
      sent.delete(id);
      asked.done(result);
      if (questionsLeft === 0 && sent.size === 0) this.#end(connection, 'network');
      return;
    }
    connection.unrelatedMessages += 1;
    if (connection.unrelatedMessages > MAX_UNRELATED_MESSAGES) this.#end(connection, 'truncated');
  }

  /** Closes the socket; questions that wait end with this result. */
  #end(connection: Connection, result: ExchangeResult): void {
    if (!this.#open.delete(connection)) return;
    connection.questionsLeft = 0;
    connection.socket.close();
    for (const { done } of connection.sent.values()) done(result);
  }
}
