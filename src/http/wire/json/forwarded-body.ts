import { Readable } from 'node:stream';
import type { RequestPayload } from 'fastify';
import { ChunkCounter } from './chunk-counter.ts';

/**
 * The body of a request, forwarded to an injected request at the pace of its reader. It fails when its source
 * fails, when the signal aborts, and with TinyChunksError. It can fail after
 * its end too, because that is what ends an injected request.
 */
export class ForwardedBody extends Readable {
  readonly #source: RequestPayload;
  readonly #chunks = new ChunkCounter();

  constructor(source: RequestPayload, signal: AbortSignal) {
    super({ autoDestroy: false });
    this.#source = source;
    source.on('data', (chunk: Buffer) => this.#forward(chunk));
    source.on('end', () => this.push(null));
    source.on('error', (error: Error) => this.destroy(error));
    source.on('close', () => this.#onSourceClose());
    source.pause();
    signal.addEventListener('abort', () => this.destroy(signal.reason as Error), { once: true });
    // An error without a listener would end the process; the reader of this stream adds its own.
    this.on('error', () => {});
  }

  override _read(): void {
    this.#source.resume();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    // The rest is discarded.
    this.#source.resume();
    callback(error);
  }

  #forward(chunk: Buffer): void {
    if (this.destroyed) return;
    try {
      this.#chunks.count(chunk.length);
    } catch (error) {
      this.destroy(error as Error);
      return;
    }
    if (!this.push(chunk)) this.#source.pause();
  }

  #onSourceClose(): void {
    if (!this.readableEnded && !(this.#source as Readable).readableEnded)
      this.destroy(Object.assign(new Error('the client disconnected'), { code: 'ECONNRESET' }));
  }
}
