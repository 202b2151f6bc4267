import type { Readable, Writable } from 'node:stream';
import type { Protocol } from 'devtools-protocol';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts';
import { CdpClosedError, CdpDataTooLargeError, CdpError } from '../browser-errors.ts';
import { MessageReader } from './message-reader.ts';
import { MessageWriter } from './message-writer.ts';
import type { CdpMessage } from './parse-message.ts';

/** Of one turn of the event loop: a handler takes up to 0.2 ms, and 128 KiB of dense JSON 15 ms to parse. */
const MAX_MESSAGES = 64;
const MAX_BYTES = 128 * 1024;

type Commands = ProtocolMapping.Commands;
export type CdpMethod = keyof Commands;
/** The body of a response may be given as bytes, which are sent as base64. */
type FulfillParams = Omit<Protocol.Fetch.FulfillRequestRequest, 'body'> & { body?: string | Uint8Array };
export type CdpParams<M extends CdpMethod> = M extends 'Fetch.fulfillRequest'
  ? FulfillParams
  : Commands[M]['paramsType'][0];
/** The response that Fetch.fulfillRequest supplies. */
export type SuppliedResponse = Pick<FulfillParams, 'responseCode' | 'responseHeaders' | 'body'>;
export type CdpResult<M extends CdpMethod> = Commands[M]['returnType'];

/** An event of a session. */
export interface CdpEvent {
  method: string;
  /**
   * The parameters of the event `method` in ProtocolMapping.Events; null if the message is too large to be
   * parsed.
   */
  params: unknown;
  /** The beginning of a message that is too large to be parsed. */
  head: string;
  bytes: number;
}

type CdpListener = (event: CdpEvent) => void;

interface Pending {
  sessionId: string;
  wantsData: boolean;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/**
 * The Chrome DevTools Protocol over the browser's file descriptors 3 (in) and 4 (out): JSON messages that
 * end in NUL, typed by `devtools-protocol`. No TCP port is opened.
 */
export class CdpConnection {
  readonly #output: Readable;
  readonly #reader: MessageReader;
  readonly #writer: MessageWriter;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<string, CdpListener>();
  #lastId = 0;
  #isClosed = false;
  /** The messages that were dispatched in this turn of the event loop; null before the first one. */
  #turn: { messages: number; bytes: number } | null = null;
  #closedBy: Error | null = null;
  #onClose: (cause: Error | null) => void = () => {};

  constructor(input: Writable, output: Readable) {
    this.#output = output;
    this.#reader = new MessageReader((id) => this.#pending.get(id)?.wantsData === true);
    this.#writer = new MessageWriter(input);
    input.on('error', () => this.close());
    output.on('data', (chunk: Buffer) => this.#onChunk(chunk));
    for (const event of ['error', 'close', 'end']) output.on(event, () => this.close());
  }

  /** Sends a command to the browser, or to a session of a page. */
  send<M extends CdpMethod>(method: M, params?: CdpParams<M>, sessionId = ''): Promise<CdpResult<M>> {
    return this.#send(method, params, sessionId, false) as Promise<CdpResult<M>>;
  }

  /** Sends a command whose result is base64, and returns its bytes: they are decoded as they arrive. */
  sendForData(method: CdpMethod, params: object | undefined, session: string): Promise<Buffer> {
    return this.#send(method, params, session, true) as Promise<Buffer>;
  }

  /** Sets the listener to a session's events; the empty id is the browser itself. */
  listen(sessionId: string, listener: CdpListener): void {
    this.#listeners.set(sessionId, listener);
  }

  /**
   * Sets the listener that is called once when the connection closes, or immediately if it has closed. Its
   * argument is an error if the browser sent something that is not CDP.
   */
  onClose(listener: (cause: Error | null) => void): void {
    this.#onClose = listener;
    if (this.#isClosed) listener(this.#closedBy);
  }

  /** Ends a session: its commands in flight are rejected, its events ignored. */
  endSession(sessionId: string): void {
    this.#listeners.delete(sessionId);
    for (const [id, pending] of this.#pending) {
      if (pending.sessionId !== sessionId) continue;
      this.#pending.delete(id);
      pending.reject(new CdpClosedError('the page has ended'));
    }
  }

  /** Rejects the commands in flight. After that, nothing is sent or dispatched. */
  close(cause: Error | null = null): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#closedBy = cause;
    for (const pending of this.#pending.values())
      pending.reject(new CdpClosedError('the browser has ended', { cause: cause ?? undefined }));
    this.#pending.clear();
    this.#listeners.clear();
    this.#reader.clear();
    this.#writer.clear();
    this.#onClose(cause);
  }

  #send(
    method: CdpMethod,
    params: object | undefined,
    sessionId: string,
    wantsData: boolean,
  ): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(new CdpClosedError('the browser has ended'));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const id = ++this.#lastId;
    this.#pending.set(id, { sessionId, wantsData, resolve, reject });
    this.#writer.write({ id, method, params, sessionId: sessionId || undefined });
    return promise;
  }

  /** Never throws, as the stream's handler would: invalid input closes the connection. */
  #onChunk(chunk: Buffer): void {
    if (this.#isClosed) return;
    this.#reader.push(chunk);
    this.#dispatchWithinTurn();
  }

  #dispatchWithinTurn(): void {
    try {
      while (!this.#isTurnSpent()) {
        const message = this.#reader.next();
        if (message === null) {
          if (this.#output.isPaused()) this.#output.resume();
          return;
        }
        this.#countInTurn(message.parsedBytes);
        this.#dispatch(message);
      }
      this.#output.pause();
    } catch (error) {
      this.close(error as Error);
    }
  }

  #isTurnSpent(): boolean {
    return this.#turn !== null && (this.#turn.messages >= MAX_MESSAGES || this.#turn.bytes >= MAX_BYTES);
  }

  #countInTurn(bytes: number): void {
    if (this.#turn === null)
      setImmediate(() => {
        const wasSpent = this.#isTurnSpent();
        this.#turn = null;
        if (wasSpent) this.#dispatchWithinTurn();
      });
    const { messages, bytes: before } = this.#turn ?? { messages: 0, bytes: 0 };
    this.#turn = { messages: messages + 1, bytes: before + bytes };
  }

  #dispatch({ id, method, params = {}, sessionId = '', result, error, head, bytes }: CdpMessage): void {
    if (id === undefined) {
      if (method !== undefined) this.#listeners.get(sessionId)?.({ method, params, head, bytes });
      return;
    }
    const pending = this.#pending.get(id);
    if (pending?.wantsData && result !== undefined && !(result instanceof Uint8Array))
      throw new SyntaxError('the result has no data');
    this.#pending.delete(id);
    if (error) pending?.reject(new CdpError(error.data ? `${error.message}: ${error.data}` : error.message));
    else if (result) pending?.resolve(result);
    else
      pending?.reject(
        pending.wantsData
          ? new CdpDataTooLargeError('the data is too large')
          : new CdpError('the result has too many values'),
      );
  }
}
