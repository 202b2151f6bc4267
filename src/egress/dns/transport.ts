import type { EncodedQuestion, ReplyMessage } from './message.ts';

/**
 * The result of one message to one server. `network`: the connection was refused or the server is
 * unreachable.
 */
export type TransportResult =
  | { kind: 'reply'; reply: ReplyMessage }
  | { kind: 'truncated' }
  | { kind: 'malformed' }
  | { kind: 'network' };

/**
 * Sends one question. Calls `done` once, never before it returns. Returns the function that cancels the
 * question. Has no timeout of its own.
 */
export type DnsTransport = (
  question: EncodedQuestion,
  edns: boolean,
  done: (result: TransportResult) => void,
) => () => void;
