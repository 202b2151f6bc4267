import { PassThrough } from 'node:stream';
import { CdpConnection, type CdpEvent } from '../../src/browser/cdp/cdp-connection.ts';

/** A connection whose other end is the test: commands arrive in `sent`, and `respond` sends bytes back. */
export interface FakeBrowser {
  connection: CdpConnection;
  /** The pipe that the browser writes to. */
  output: PassThrough;
  /** Sends bytes to the connection as one chunk. */
  respond(bytes: Buffer | string): void;
  /** Everything that was sent to the browser so far, in chunks. */
  sent: Buffer[];
  /** The causes passed to onClose: one element after the close. */
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
    // Not through the stream's queue, so that bytes after the close reach the handler too.
    respond: (bytes) => void output.emit('data', Buffer.from(bytes)),
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
