/** Raw HTTP/1.1, for requests that client libraries refuse to send. */
import { connect, type Socket } from 'node:net';
import { scaledMs } from './patience.ts';

export interface RawAnswer {
  status: number;
  headers: Map<string, string>;
  body: string;
}

/** Sends bytes (text as latin1). Returns what it received before the server closed or `waitMs` passed. */
export async function sendRaw(
  port: number,
  bytes: string | Buffer,
  { waitMs = scaledMs(10_000), drive }: { waitMs?: number; drive?: (socket: Socket) => void } = {},
): Promise<{ text: string; closed: boolean }> {
  const { promise, resolve } = Promise.withResolvers<{ text: string; closed: boolean }>();
  const socket = connect(port, '127.0.0.1');
  let text = '';
  const timer = setTimeout(() => finish(false), waitMs);
  function finish(closed: boolean): void {
    clearTimeout(timer);
    socket.destroy();
    resolve({ text, closed });
  }
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => finish(true));
  socket.on('close', () => finish(true));
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  drive?.(socket);
  return promise;
}

/** Parses the responses of one connection, interim ones included. */
export function parseAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  while (rest.startsWith('HTTP/1.1 ')) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = new Map(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const length = Number(headers.get('content-length') ?? 0);
    answers.push({
      status: Number(statusLine.split(' ')[1]),
      headers,
      body: Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString(),
    });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}
