import type { Exchange, ExchangeResult } from './transport.ts';
import { RCODE, type EncodedQuestion, type ReplyMessage } from './message.ts';
import type { DnsFailure } from './resolver.ts';
import type { ServerHealth } from './server-health.ts';

/** A reply that says NOERROR or NXDOMAIN, or why there is none. */
export type AttemptResult = { reply: ReplyMessage } | { reply: null; reason: DnsFailure };

/** Asks one server one question. Calls `done` once, never before it returns; gives a function that gives up. */
export type Attempt = (encoded: EncodedQuestion, done: (result: AttemptResult) => void) => () => void;

export interface AttemptOptions {
  udp: Exchange;
  tcp: Exchange;
  health: ServerHealth;
  timeoutMs: number;
  now: () => number;
}

const WITHOUT_EDNS_FOR_MS = 300_000;
const NEEDS_PLAIN_QUESTION = new Set<number>([RCODE.FORMERR, RCODE.NOTIMP, RCODE.BADVERS]);

/** Over UDP, then TCP where that is truncated or malformed; once more without EDNS where the server does not know it (RFC 6891 §7). All within `timeoutMs`. */
export function createAttempt({ udp, tcp, health, timeoutMs, now }: AttemptOptions): Attempt {
  let withoutEdnsUntilMs = 0;

  return (encoded, done) => {
    let edns = now() >= withoutEdnsUntilMs;
    let isPlainRetry = false;
    let giveUp = send(udp);
    const timer = setTimeout(() => {
      giveUp();
      health.noteMiss();
      done({ reply: null, reason: 'timeout' });
    }, timeoutMs);

    function send(exchange: Exchange): () => void {
      return exchange(encoded, edns, (result) => receive(result, exchange));
    }

    function end(result: AttemptResult): void {
      clearTimeout(timer);
      done(result);
    }

    function receive(result: ExchangeResult, exchange: Exchange): void {
      if (result.kind === 'network') {
        health.noteMiss();
        return end({ reply: null, reason: 'network' });
      }
      health.noteAnswer();
      if (result.kind !== 'reply') {
        if (exchange === tcp) return end({ reply: null, reason: 'malformed' });
        giveUp = send(tcp);
      } else if (edns && NEEDS_PLAIN_QUESTION.has(result.reply.rcode)) {
        edns = false;
        isPlainRetry = true;
        giveUp = send(exchange);
      } else {
        // Only a better answer shows that EDNS was what the server did not understand.
        const isCured = isPlainRetry && !NEEDS_PLAIN_QUESTION.has(result.reply.rcode);
        if (isCured) withoutEdnsUntilMs = now() + WITHOUT_EDNS_FOR_MS;
        end(judge(result.reply));
      }
    }

    return () => {
      clearTimeout(timer);
      giveUp();
    };
  };
}

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

/** RFC 2308 §2.2: name servers without a SOA. A resolver that refers elsewhere is lame: it did not do the work. */
function isReferral(reply: ReplyMessage): boolean {
  const types = new Set(reply.authorities.map((record) => record.type));
  return reply.answers.length === 0 && types.has('NS') && !types.has('SOA');
}
