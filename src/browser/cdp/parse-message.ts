import { isUtf8 } from 'node:buffer';

/** A message from the browser: the response to a command (`id`), or an event (`method`). */
export interface CdpMessage {
  id?: number;
  method?: string;
  params?: unknown;
  sessionId?: string;
  /** Bytes if they were decoded from base64. */
  result?: object;
  error?: { message: string; data?: string };
  /** The beginning of a message that would take too much time or memory to parse; '' for another. */
  head: string;
  /** The size of what was parsed, and of the message as it was sent. */
  parsedBytes: number;
  bytes: number;
}

/**
 * Parses a message, from which `data`, the base64 of its result, was cut out. Throws SyntaxError if it is not
 * JSON, or neither a response nor an event.
 */
export function parseMessage(json: Buffer, data: Buffer | undefined): CdpMessage {
  if (!isUtf8(json)) throw new SyntaxError('the message is not UTF-8');
  const message: unknown = JSON.parse(json.toString('utf8'));
  if (!isMessage(message)) throw new SyntaxError('the message is neither a response nor an event');
  return { ...message, ...(data && { result: data }), head: '', parsedBytes: json.length, bytes: 0 };
}

function isMessage(value: unknown): value is Omit<CdpMessage, 'head' | 'parsedBytes' | 'bytes'> {
  if (!isObject(value)) return false;
  const { id, method, params = {}, sessionId = '', result, error } = value;
  if (typeof sessionId !== 'string') return false;
  // The error for a command that the browser could not parse has no id.
  if (error !== undefined)
    return (
      isObject(error) && [error['message'], error['data'] ?? ''].every((text) => typeof text === 'string')
    );
  if (id !== undefined) return Number.isInteger(id) && isObject(result);
  return typeof method === 'string' && isObject(params);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parses the beginning and the end of an oversized message. Chromium writes `id` or `method` first and
 * `sessionId` last; what a document can choose is between them, with quotes escaped. Throws SyntaxError if it
 * is neither a response nor an event.
 */
export function parseEnds(head: string, tail: string): CdpMessage {
  const start = /^\{"(?:id":(\d{1,15}),"|method":"([A-Za-z]+\.[A-Za-z]+)",")/.exec(head);
  if (!start) throw new SyntaxError('the message begins neither as a response nor as an event');
  const [, id, method] = start;
  const sessionId = /,"sessionId":"([0-9A-F]+)"\}$/.exec(tail)?.[1] ?? '';
  const sender = id === undefined ? { method: method ?? '', params: null } : { id: Number(id) };
  return { ...sender, sessionId, head, parsedBytes: 0, bytes: 0 };
}
