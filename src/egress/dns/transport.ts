import type { EncodedQuestion, ReplyMessage } from './message.ts';

/** What became of one message sent to one server. `network`: nothing listens there or it cannot be reached. */
export type ExchangeResult =
  | { kind: 'reply'; reply: ReplyMessage }
  | { kind: 'truncated' }
  | { kind: 'malformed' }
  | { kind: 'network' };

/** Sends one question and calls `done` once, never before it returns; gives a function that gives up. It knows no time-out. */
export type Exchange = (
  asked: EncodedQuestion,
  edns: boolean,
  done: (result: ExchangeResult) => void,
) => () => void;
