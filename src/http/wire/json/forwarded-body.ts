import { Readable } from 'node:stream';
import type { RequestPayload } from 'fastify';
import { closeWithoutLinger } from '../linger.ts';
import { ChunkCounter } from './chunk-counter.ts';

/**
 * A request's body on its way into an injected request, at the pace of its reader. It fails as its source fails, with `invalid_parameter`
 * if it arrives in tiny chunks, and when the signal aborts: even after its end, because its failure is what ends an injected request.
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
    // Whoever reads this stream listens for itself; without a listener an error would end the process.
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
      closeWithoutLinger(this.#source);
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
