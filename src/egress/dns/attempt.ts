import { RCODE, type EncodedQuestion, type ReplyMessage } from './message.ts';
import type { DnsFailure } from './resolver.ts';
import type { ServerHealth } from './server-health.ts';
import type { DnsTransport, TransportResult } from './transport.ts';

/** A reply with NOERROR or NXDOMAIN, or the reason why there is none. */
export type AttemptResult = { reply: ReplyMessage } | { reply: null; reason: DnsFailure };

/**
 * Sends one question to one server. Calls `done` once, never before it returns. Returns the function that
 * cancels.
 */
export type Attempt = (question: EncodedQuestion, done: (result: AttemptResult) => void) => () => void;

export interface AttemptOptions {
  udp: DnsTransport;
  tcp: DnsTransport;
  health: ServerHealth;
  timeoutMs: number;
  now: () => number;
}

/** The EDNS support of a server, as far as it is known. */
interface EdnsState {
  withoutEdnsUntilMs: number;
}

const WITHOUT_EDNS_FOR_MS = 300_000;
const NEEDS_PLAIN_QUESTION = new Set<number>([RCODE.FORMERR, RCODE.NOTIMP, RCODE.BADVERS]);

class RunningAttempt {
  readonly #options: AttemptOptions;
  readonly #ednsState: EdnsState;
  readonly #question: EncodedQuestion;
  readonly #done: (result: AttemptResult) => void;
  readonly #timer: NodeJS.Timeout;
  #edns: boolean;
  #isPlainRetry = false;
  #cancelMessage: () => void;

  constructor(
    options: AttemptOptions,
    ednsState: EdnsState,
    question: EncodedQuestion,
    done: (result: AttemptResult) => void,
  ) {
    this.#options = options;
    this.#ednsState = ednsState;
    this.#question = question;
    this.#done = done;
    this.#edns = options.now() >= ednsState.withoutEdnsUntilMs;
    this.#cancelMessage = this.#send(options.udp);
    this.#timer = setTimeout(() => this.#onTimeout(), options.timeoutMs);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#cancelMessage();
  }

  #send(transport: DnsTransport): () => void {
    return transport(this.#question, this.#edns, (result) => this.#onResult(result, transport));
  }

  #onTimeout(): void {
    this.#cancelMessage();
    this.#options.health.recordMiss();
    this.#done({ reply: null, reason: 'timeout' });
  }

  #onResult(result: TransportResult, transport: DnsTransport): void {
    const { tcp, health, now } = this.#options;
    if (result.kind === 'network') {
      health.recordMiss();
      this.#end({ reply: null, reason: 'network' });
      return;
    }
    health.recordAnswer();
    if (result.kind !== 'reply') {
      if (transport === tcp) this.#end({ reply: null, reason: 'malformed' });
      else this.#cancelMessage = this.#send(tcp);
    } else if (this.#edns && NEEDS_PLAIN_QUESTION.has(result.reply.rcode)) {
      this.#edns = false;
      this.#isPlainRetry = true;
      this.#cancelMessage = this.#send(transport);
    } else {
      // Only a different answer proves that EDNS was the problem.
      const isEdnsTheCause = this.#isPlainRetry && !NEEDS_PLAIN_QUESTION.has(result.reply.rcode);
      if (isEdnsTheCause) this.#ednsState.withoutEdnsUntilMs = now() + WITHOUT_EDNS_FOR_MS;
      this.#end(judge(result.reply));
    }
  }

  #end(result: AttemptResult): void {
    clearTimeout(this.#timer);
    this.#done(result);
  }
}

/**
 * Returns the function that queries a server over UDP, then over TCP if the reply is truncated or malformed,
 * and once more without EDNS if the server does not support it (RFC 6891 §7). All of it takes at most
 * `timeoutMs`.
 */
export function createAttempt(options: AttemptOptions): Attempt {
  const ednsState: EdnsState = { withoutEdnsUntilMs: 0 };
  return (question, done) => {
    const attempt = new RunningAttempt(options, ednsState, question, done);
    return () => attempt.cancel();
  };
}

/** Returns the result of a reply: only NOERROR and NXDOMAIN can be answers. */
function judge(reply: ReplyMessage): AttemptResult {
  switch (reply.rcode) {
    case RCODE.NXDOMAIN:
      return { reply };
    case RCODE.NOERROR:
      return isReferral(reply) ? { reply: null, reason: 'servfail' } : { reply };
    case RCODE.FORMERR:
      return { reply: null, reason: 'malformed' };
    case RCODE.NOTIMP:
    case RCODE.REFUSED:
      return { reply: null, reason: 'refused' };
    default:
      return { reply: null, reason: 'servfail' };
  }
}

/**
 * Reports whether a reply has name servers but no SOA (RFC 2308 §2.2): a resolver that refers elsewhere is
 * lame.
 */
function isReferral(reply: ReplyMessage): boolean {
  const types = new Set(reply.authorities.map((record) => record.type));
  return reply.answers.length === 0 && types.has('NS') && !types.has('SOA');
}
