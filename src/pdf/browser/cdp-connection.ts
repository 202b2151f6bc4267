/**
 * The one file that speaks the Chrome DevTools Protocol's wire: JSON messages that end in NUL, over the browser's file
 * descriptors 3 (in) and 4 (out), typed by `devtools-protocol`. No TCP port is opened for anybody to attack.
 */
import type { Readable, Writable } from 'node:stream';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts';

type Commands = ProtocolMapping.Commands;
export type CdpEvents = ProtocolMapping.Events;
export type CdpMethod = keyof Commands;
export type CdpParams<M extends CdpMethod> = Commands[M]['paramsType'][0];
export type CdpResult<M extends CdpMethod> = Commands[M]['returnType'];

/** Called with every event of a session; `params` is what CdpEvents says of `method`, `bytes` the size of the message. */
export type CdpListener = (method: keyof CdpEvents, params: unknown, bytes: number) => void;

/** The browser refused a command. */
export class CdpError extends Error {
  override name = 'CdpError';
}

/** The browser is gone, or the session's page is. */
export class CdpClosedError extends Error {
  override name = 'CdpClosedError';
}

interface Pending {
  sessionId: string;
  wantsData: boolean;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

interface Message {
  id?: number;
  method?: keyof CdpEvents;
  params?: unknown;
  sessionId?: string;
  result?: unknown;
  error?: { message: string; data?: string };
}

/** Of a longer message only the head is kept, and its command fails: a document can make a PDF of any size. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;
const HEAD_BYTES = 64;
const DATA_KEY = '"data":"';

export class CdpConnection {
  readonly #input: Writable;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<string, CdpListener>();
  #chunks: Buffer[] = [];
  #chunksBytes = 0;
  #lastId = 0;
  #isClosed = false;
  #isCorked = false;
  /** Called once, when the browser's end of the pipe closes. */
  onClose: () => void = () => {};

  constructor(input: Writable, output: Readable) {
    this.#input = input;
    input.on('error', () => this.close());
    output.on('data', (chunk: Buffer) => this.#read(chunk));
    output.on('error', () => this.close());
    output.on('close', () => this.close());
    output.on('end', () => this.close());
  }

  /** Sends a command to the browser, or to a session of a page. */
  send<M extends CdpMethod>(method: M, params?: CdpParams<M>, sessionId = ''): Promise<CdpResult<M>> {
    return this.#send(method, params, sessionId, false) as Promise<CdpResult<M>>;
  }

  /** Sends a command whose result is one base64 string, `data`, and answers its bytes: it may be many megabytes, so it is not parsed as JSON. */
  sendForData(
    method: 'Page.printToPDF',
    params: CdpParams<'Page.printToPDF'>,
    sessionId: string,
  ): Promise<Buffer> {
    return this.#send(method, params, sessionId, true) as Promise<Buffer>;
  }

  /** Sets who is told of a session's events; the empty id is the browser itself. */
  listen(sessionId: string, listener: CdpListener): void {
    this.#listeners.set(sessionId, listener);
  }

  /** Forgets a session: its commands in flight are rejected. */
  forget(sessionId: string): void {
    this.#listeners.delete(sessionId);
    for (const [id, pending] of this.#pending) {
      if (pending.sessionId !== sessionId) continue;
      this.#pending.delete(id);
      pending.reject(new CdpClosedError('the page is gone'));
    }
  }

  /** Rejects what is in flight; nothing is sent after it. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const pending of this.#pending.values()) pending.reject(new CdpClosedError('the browser is gone'));
    this.#pending.clear();
    this.#listeners.clear();
    this.#chunks = [];
    this.onClose();
  }

  #send(method: CdpMethod, params: unknown, sessionId: string, wantsData: boolean): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) {
        reject(new CdpClosedError('the browser is gone'));
        return;
      }
      const id = ++this.#lastId;
      this.#pending.set(id, { sessionId, wantsData, resolve, reject });
      this.#corkUntilNextTick();
      this.#input.write(
        `${JSON.stringify(sessionId === '' ? { id, method, params } : { id, method, params, sessionId })}\0`,
      );
    });
  }

  /** Commands of one tick leave in one write. */
  #corkUntilNextTick(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#input.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      this.#input.uncork();
    });
  }

  #read(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      this.#keep(chunk.subarray(from, end));
      const [first] = this.#chunks;
      const message = this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
      const isWhole = this.#chunksBytes <= MAX_MESSAGE_BYTES;
      this.#chunks = [];
      this.#chunksBytes = 0;
      from = end + 1;
      if (message && isWhole) this.#dispatch(message);
      else if (message) this.#refuse(message);
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  #keep(piece: Buffer): void {
    this.#chunksBytes += piece.length;
    if (this.#chunksBytes <= MAX_MESSAGE_BYTES) this.#chunks.push(piece);
    else if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks).subarray(0, HEAD_BYTES)];
  }

  #refuse(head: Buffer): void {
    const id = Number(/^\{"id":(\d+),/.exec(head.toString('latin1', 0, HEAD_BYTES))?.[1]);
    this.#pending.get(id)?.reject(new CdpError('the answer is too large'));
    this.#pending.delete(id);
  }

  #dispatch(bytes: Buffer): void {
    if (this.#resolveData(bytes)) return;
    const message = JSON.parse(bytes.toString('utf8')) as Message;
    if (message.id === undefined) {
      if (message.method)
        this.#listeners.get(message.sessionId ?? '')?.(message.method, message.params, bytes.length);
      return;
    }
    const pending = this.#pending.get(message.id);
    if (!pending) return;
    this.#pending.delete(message.id);
    if (message.error)
      pending.reject(
        new CdpError(`${message.error.message}${message.error.data ? `: ${message.error.data}` : ''}`),
      );
    else if (pending.wantsData)
      pending.resolve(Buffer.from((message.result as { data: string }).data, 'base64'));
    else pending.resolve(message.result);
  }

  /** `{"id":7,"result":{"data":"…"` is cut out of the bytes and decoded, without making a JSON document of it. */
  #resolveData(bytes: Buffer): boolean {
    if (bytes.length < 4096) return false;
    const head = /^\{"id":(\d+),"result":\{"data":"/.exec(bytes.toString('latin1', 0, HEAD_BYTES));
    const id = Number(head?.[1]);
    const pending = this.#pending.get(id);
    if (!head || !pending?.wantsData) return false;
    const start = bytes.indexOf(DATA_KEY) + DATA_KEY.length;
    const end = bytes.indexOf('"', start);
    this.#pending.delete(id);
    pending.resolve(Buffer.from(bytes.toString('latin1', start, end), 'base64'));
    return true;
  }
}
