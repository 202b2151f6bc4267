import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { parseReply, type TransportResult } from './message.ts';
import type { ServerAddress } from './server-address.ts';

type Done = (result: TransportResult) => void;

/** The callback is null after the question was answered or canceled. */
interface Sent {
  question: Buffer;
  done: Done | null;
}

/** More messages than this that match no question are guesses of an attacker: the questions move to TCP. */
const MAX_UNRELATED_MESSAGES = 64;

/**
 * One UDP socket connected to a server, for `maxQuestions` questions. The kernel drops messages from any
 * other address or port, and reports an ICMP refusal at once. Closes when it has sent its last question and
 * none waits for its answer.
 */
class UdpSocket {
  readonly #socket: Socket;
  /** By id. Includes canceled questions: the late answers of a slow domain must not count as guesses. */
  readonly #sent = new Map<number, Sent>();
  readonly #onClosed: (socket: UdpSocket) => void;
  #questionsLeft: number;
  #waiting = 0;
  #unrelatedMessages = 0;

  constructor({ host, port }: ServerAddress, maxQuestions: number, onClosed: (socket: UdpSocket) => void) {
    this.#questionsLeft = maxQuestions;
    this.#onClosed = onClosed;
    const family = isIPv6(host) ? 6 : 4;
    // A lookup that calls back at once makes `connect` synchronous.
    this.#socket = createSocket({ type: `udp${family}`, lookup: (_h, _o, done) => done(null, host, family) });
    this.#socket.on('message', (bytes) => this.#receive(bytes));
    this.#socket.on('error', () => this.end('network'));
    this.#socket.connect(port, host);
    // An idle resolver must not keep the process alive; a question in flight does, with its timer.
    this.#socket.unref();
    try {
      this.#socket.remoteAddress();
    } catch {
      this.end('network');
    }
  }

  /** False if the socket accepts no more questions: at once if no file descriptor was left. */
  get isUsable(): boolean {
    return this.#questionsLeft > 0;
  }

  send(question: Buffer, done: Done): () => void {
    let id = randomInt(0x1_0000);
    while (this.#sent.has(id)) id = randomInt(0x1_0000);
    question.writeUInt16BE(id, 0);
    const sent: Sent = { question, done };
    this.#sent.set(id, sent);
    this.#waiting += 1;
    this.#questionsLeft -= 1;
    this.#socket.send(question);
    return () => this.#settle(sent);
  }

  /** Ends every waiting question with this result. */
  end(result: TransportResult): void {
    this.#questionsLeft = 0;
    for (const sent of this.#sent.values()) this.#settle(sent, result);
    this.#closeIfDone();
  }

  #receive(bytes: Buffer): void {
    const id = bytes.length >= 2 ? bytes.readUInt16BE(0) : -1;
    const sent = this.#sent.get(id);
    const result = sent ? parseReply(bytes, sent.question) : 'unrelated';
    if (sent && result !== 'unrelated') {
      this.#sent.delete(id);
      this.#settle(sent, result);
      return;
    }
    this.#unrelatedMessages += 1;
    if (this.#unrelatedMessages > MAX_UNRELATED_MESSAGES) this.end('truncated');
  }

  #settle(sent: Sent, result?: TransportResult): void {
    const { done } = sent;
    if (!done) return;
    sent.done = null;
    this.#waiting -= 1;
    this.#closeIfDone();
    if (result !== undefined) done(result);
  }

  #closeIfDone(): void {
    if (this.#questionsLeft > 0 || this.#waiting > 0) return;
    this.#waiting = Infinity;
    this.#socket.close();
    this.#onClosed(this);
  }
}

/**
 * UDP sockets to one server. Each question uses a random socket and a random id, and each socket is replaced
 * after `questionsPerSocket`, so that no source port lasts (RFC 5452 §9.2).
 */
export class UdpPool {
  readonly #slots: (UdpSocket | undefined)[];
  readonly #open = new Set<UdpSocket>();
  readonly #openSocket: () => UdpSocket;
  #isClosed = false;

  constructor(server: ServerAddress, size: number, questionsPerSocket: number) {
    this.#slots = Array.from({ length: size });
    this.#openSocket = () => new UdpSocket(server, questionsPerSocket, (socket) => this.#open.delete(socket));
  }

  /** Sends one question. Calls `done` once, never before it returns. Returns the function that cancels. */
  send(question: Buffer, done: Done): () => void {
    const slot = randomInt(this.#slots.length);
    let socket = this.#slots[slot];
    if (!socket?.isUsable && !this.#isClosed) {
      socket = this.#openSocket();
      this.#slots[slot] = socket;
      if (socket.isUsable) this.#open.add(socket);
    }
    if (socket?.isUsable) return socket.send(question, done);
    const failure = setTimeout(() => done('network'));
    return () => clearTimeout(failure);
  }

  close(): void {
    this.#isClosed = true;
    for (const socket of this.#open) socket.end('network');
  }
}
