/** Requests for attackers: prebuilt bytes over a socket, so that a flood costs its sender little CPU. */
import { connect } from 'node:net';

export interface RawCall {
  port: number;
  head: string;
  /** Sent after the head, in order; never copied. */
  body?: readonly Buffer[];
  /** After the body, so many bytes more, one piece each second, for ever. */
  trickleBytes?: number;
  signal: AbortSignal;
}

/** The head of a POST with a JSON body of `length` bytes. */
export function postHead(path: string, length: number, headers: Record<string, string>): string {
  return requestHead('POST', path, {
    'content-type': 'application/json',
    'content-length': String(length),
    ...headers,
  });
}

export function requestHead(method: string, path: string, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}\r\n`;
}

/** A whole response: the status and the error's identifier, like `429 rate_limit_exceeded`. */
function describeResponse(text: string): string | null {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const head = text.slice(0, headEnd);
  const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  if (text.length < headEnd + 4 + length) return null;
  const [, code] = /"error":"(\w+)"/.exec(text.slice(headEnd)) ?? [];
  const status = head.slice(9, 12);
  return code === undefined ? status : `${status} ${code}`;
}

/**
 * Sends one request on a connection of its own and returns its outcome: the response, `closed` (no response),
 * an error's code, or `unanswered` if the signal aborted first. A response that comes before the body is out
 * ends the sending.
 */
export function sendRawCall({ port, head, body = [], trickleBytes = 0, signal }: RawCall): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  if (signal.aborted) return Promise.resolve('unanswered');
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let text = '';
  let trickle: NodeJS.Timeout | undefined;
  const finish = (outcome: string): void => {
    signal.removeEventListener('abort', onAbort);
    clearInterval(trickle);
    socket.destroy();
    resolve(outcome);
  };
  const onAbort = (): void => finish('unanswered');
  signal.addEventListener('abort', onAbort, { once: true });
  socket.setEncoding('latin1');
  socket.on('data', (part: string) => {
    // PDFs are long, and only their head matters.
    if (text.length < 100_000) text += part;
    const outcome = describeResponse(text);
    if (outcome !== null) finish(outcome);
    else if (text.startsWith('HTTP/1.1 200')) finish('200');
  });
  socket.on('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message));
  socket.on('close', () => finish('closed'));
  socket.write(head);
  for (const part of body) socket.write(part);
  if (trickleBytes > 0)
    trickle = setInterval(() => socket.write(Buffer.alloc(trickleBytes, 0x20)), 1000).unref();
  return promise;
}
