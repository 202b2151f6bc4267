import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { parseReply, type EncodedQuestion } from './message.ts';
import type { ServerAddress } from './server-address.ts';
import type { TransportResult } from './transport.ts';

/** Notified when a socket accepts no more questions, and when it is closed. */
export interface UdpSocketOwner {
  onRetired(socket: UdpSocket): void;
  onClosed(socket: UdpSocket): void;
}

interface Pending {
  question: EncodedQuestion;
  done: (result: TransportResult) => void;
}

/** More messages than this that match no question are guesses of an attacker: the questions move to TCP. */
const MAX_UNRELATED_MESSAGES = 64;
const IDS = 0x1_0000;

/**
 * One UDP socket connected to a server, for `maxQuestions` questions. The kernel drops messages from any
 * other address or port, and reports an ICMP refusal at once. The socket accepts no more questions after the
 * last one, and closes when none is pending.
 */
export class UdpSocket {
  readonly #socket: Socket;
  readonly #pending = new Map<number, Pending>();
  /**
   * Canceled questions, at most `maxQuestions`: the late answers of a slow domain must not count as guesses.
   */
  readonly #canceled = new Map<number, EncodedQuestion>();
  readonly #maxQuestions: number;
  readonly #owner: UdpSocketOwner;
  /** Messages that wait until the socket is connected; null afterwards. */
  #unsent: Buffer[] | null = [];
  #questions = 0;
  #unrelatedMessages = 0;
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

  /** False if the socket accepts no more questions: at once if no file descriptor was left. */
  get isUsable(): boolean {
    return !this.#isRetired;
  }

  /** Sends one question. Calls `done` once. Returns the function that cancels the question. */
  query(question: EncodedQuestion, edns: boolean, done: (result: TransportResult) => void): () => void {
    let id = randomInt(IDS);
    while (this.#pending.has(id) || this.#canceled.has(id)) id = randomInt(IDS);
    const message = Buffer.from(edns ? question.withEdns : question.plain);
    message.writeUInt16BE(id, 0);
    this.#pending.set(id, { question, done });
    if (this.#unsent) this.#unsent.push(message);
    else this.#socket.send(message);
    this.#questions += 1;
    if (this.#questions >= this.#maxQuestions) this.#retire();
    return () => this.#cancel(id);
  }

  /** Closes the socket; every pending question ends as `network`. */
  close(): void {
    this.#end({ kind: 'network' });
  }

  #flush(): void {
    if (this.#isClosed) return;
    // An idle resolver must not keep the process alive; a question in flight does, with its timer.
    this.#socket.unref();
    for (const message of this.#unsent ?? []) this.#socket.send(message);
    this.#unsent = null;
  }

  #receive(bytes: Buffer): void {
    const id = bytes.length >= 2 ? bytes.readUInt16BE(0) : -1;
    const pending = this.#pending.get(id);
    const parsed = pending && parseReply(bytes, pending.question);
    if (!parsed || parsed.kind === 'unrelated') {
      if (!this.#isLateAnswer(id, bytes)) this.#countUnrelated();
      return;
    }
    this.#remove(id);
    pending.done(parsed);
  }

  #cancel(id: number): void {
    const pending = this.#pending.get(id);
    if (pending !== undefined) this.#canceled.set(id, pending.question);
    this.#remove(id);
  }

  /** Reports whether a message answers a canceled question; true once per question. */
  #isLateAnswer(id: number, bytes: Buffer): boolean {
    const question = this.#canceled.get(id);
    if (question === undefined || parseReply(bytes, question).kind === 'unrelated') return false;
    return this.#canceled.delete(id);
  }

  #countUnrelated(): void {
    this.#unrelatedMessages += 1;
    if (this.#unrelatedMessages > MAX_UNRELATED_MESSAGES) this.#end({ kind: 'truncated' });
  }

  #remove(id: number): void {
    this.#pending.delete(id);
    this.#closeIfDone();
  }

  #end(result: TransportResult): void {
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
