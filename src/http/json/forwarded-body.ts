import { Readable } from 'node:stream';
import type { RequestPayload } from 'fastify';
import { closeWithoutLinger } from '../linger.ts';
import { ChunkCounter } from './chunk-counter.ts';

/**
 * A request's body on its way into another request of this process, at the pace of its reader. It fails as its source fails, and with
 * `invalid_parameter` if it arrives in tiny chunks.
 */
export class ForwardedBody extends Readable {
  readonly #source: RequestPayload;
  readonly #chunks = new ChunkCounter();

  constructor(source: RequestPayload) {
    super();
    this.#source = source;
    source.on('data', (chunk: Buffer) => this.#forward(chunk));
    source.on('end', () => this.push(null));
    source.on('error', (error: Error) => this.destroy(error));
    source.on('close', () => this.#onSourceClose());
    source.pause();
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
