import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { ExchangeResult } from './transport.ts';
import { readReply, type EncodedQuestion } from './message.ts';
import type { ServerAddress } from './server-address.ts';

/** Tells its owner when it takes no more questions, and when it is closed. */
export interface UdpSocketOwner {
  onRetired(socket: UdpSocket): void;
  onClosed(socket: UdpSocket): void;
}

interface Pending {
  asked: EncodedQuestion;
  done: (result: ExchangeResult) => void;
}

/** Past so many messages that answer nothing asked, someone is guessing: the questions go over TCP. */
const MAX_STRANGERS = 64;
const IDS = 0x1_0000;

/**
 * One UDP socket connected to a server, for a number of questions: the kernel drops what comes from any other address or port, and an
 * ICMP refusal is heard at once. It retires by itself and closes when its last question is over.
 */
export class UdpSocket {
  readonly #socket: Socket;
  readonly #pending = new Map<number, Pending>();
  /** Questions that were given up and whose answers may still come: a slow domain's must not look like guesses. At most `maxQuestions`. */
  readonly #late = new Map<number, EncodedQuestion>();
  readonly #maxQuestions: number;
  readonly #owner: UdpSocketOwner;
  /** Messages that wait for the socket to be connected; null afterwards. */
  #unsent: Buffer[] | null = [];
  #questions = 0;
  #strangers = 0;
  #isRetired = false;
  #isClosed = false;

  constructor(server: ServerAddress, maxQuestions: number, owner: UdpSocketOwner) {
    this.#maxQuestions = maxQuestions;
    this.#owner = owner;
    this.#socket = createSocket({
      type: isIPv6(server.host) ? 'udp6' : 'udp4',
      lookup: (host, _options, callback) => callback(null, host, isIPv6(host) ? 6 : 4),
    });
    this.#socket.on('message', (bytes) => this.#receive(bytes));
    this.#socket.on('error', () => this.close());
    this.#socket.on('connect', () => this.#flush());
    this.#socket.connect(server.port, server.host);
  }

  /** False from the start where no file descriptor is left: such a socket fails before its constructor returns. */
  get isUsable(): boolean {
    return !this.#isRetired;
  }

  ask(asked: EncodedQuestion, edns: boolean, done: (result: ExchangeResult) => void): () => void {
    let id = randomInt(IDS);
    while (this.#pending.has(id) || this.#late.has(id)) id = randomInt(IDS);
    const message = Buffer.from(edns ? asked.withEdns : asked.plain);
    message.writeUInt16BE(id, 0);
    this.#pending.set(id, { asked, done });
    if (this.#unsent) this.#unsent.push(message);
    else this.#socket.send(message);
    this.#questions += 1;
    if (this.#questions >= this.#maxQuestions) this.#retire();
    return () => this.#giveUp(id);
  }

  /** Ends every question at once. */
  close(): void {
    this.#end({ kind: 'network' });
  }

  #flush(): void {
    if (this.#isClosed) return;
    // A resolver that is idle must not keep the process alive; a question in flight does so by its timer.
    this.#socket.unref();
    for (const message of this.#unsent ?? []) this.#socket.send(message);
    this.#unsent = null;
  }

  #receive(bytes: Buffer): void {
    const id = bytes.length >= 2 ? bytes.readUInt16BE(0) : -1;
    const pending = this.#pending.get(id);
    const read = pending && readReply(bytes, pending.asked);
    if (!read || read.kind === 'stranger') {
      if (!this.#isLate(id, bytes)) this.#noteStranger();
      return;
    }
    this.#forget(id);
    pending.done(read);
  }

  #giveUp(id: number): void {
    const pending = this.#pending.get(id);
    if (pending !== undefined) this.#late.set(id, pending.asked);
    this.#forget(id);
  }

  /** Whether a message answers a question that was given up; each is taken once. */
  #isLate(id: number, bytes: Buffer): boolean {
    const asked = this.#late.get(id);
    if (asked === undefined || readReply(bytes, asked).kind === 'stranger') return false;
    return this.#late.delete(id);
  }

  #noteStranger(): void {
    this.#strangers += 1;
    if (this.#strangers > MAX_STRANGERS) this.#end({ kind: 'truncated' });
  }

  #forget(id: number): void {
    this.#pending.delete(id);
    this.#closeIfDone();
  }

  #end(result: ExchangeResult): void {
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    this.#retire();
    for (const { done } of waiting) done(result);
  }

  #retire(): void {
    if (!this.#isRetired) {
      this.#isRetired = true;
      this.#owner.onRetired(this);
    }
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (!this.#isRetired || this.#isClosed || this.#pending.size > 0) return;
    this.#isClosed = true;
    this.#socket.close();
    this.#owner.onClosed(this);
  }
}
