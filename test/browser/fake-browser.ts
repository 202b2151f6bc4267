import { PassThrough } from 'node:stream';
import { CdpConnection, type CdpEvent } from '../../src/browser/cdp/cdp-connection.ts';

/** A connection whose browser is the test: it reads `sent`, and answers with `answer`. */
export interface FakeBrowser {
  connection: CdpConnection;
  /** The browser's end of the pipe that it writes. */
  output: PassThrough;
  /** Hands bytes to the connection as one chunk. */
  answer(bytes: Buffer | string): void;
  /** Everything that was sent to the browser so far, in chunks. */
  sent: Buffer[];
  /** The causes of closing: one, once it is closed. */
  closings: (Error | null)[];
}

export function openFakeBrowser(): FakeBrowser {
  const input = new PassThrough();
  const output = new PassThrough();
  const connection = new CdpConnection(input, output);
  const closings: (Error | null)[] = [];
  connection.onClose((cause) => void closings.push(cause));
  const sent: Buffer[] = [];
  input.on('data', (chunk: Buffer) => void sent.push(chunk));
  return {
    connection,
    output,
    // Not through the stream's queue: also what arrives after the close reaches the handler.
    answer: (bytes) => void output.emit('data', Buffer.from(bytes)),
    sent,
    closings,
  };
}

export const SESSION = '5AB23F0E1D4C8B7A69788796A5B4C3D2';

/** A message as Chromium writes it. */
export function write(message: object): string {
  return `${JSON.stringify(message)}\0`;
}

/** Resolves after this many turns of the event loop. */
export async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await new Promise((resolve) => setImmediate(resolve));
}

export type { CdpEvent };
