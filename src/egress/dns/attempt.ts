import type { DnsTransport, TransportResult } from './transport.ts';
import { RCODE, type EncodedQuestion, type ReplyMessage } from './message.ts';
import type { DnsFailure } from './resolver.ts';
import type { ServerHealth } from './server-health.ts';

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

const WITHOUT_EDNS_FOR_MS = 300_000;
const NEEDS_PLAIN_QUESTION = new Set<number>([RCODE.FORMERR, RCODE.NOTIMP, RCODE.BADVERS]);

/**
 * Returns the function that queries a server over UDP, then over TCP if the reply is truncated or malformed,
 * and once more without EDNS if the server does not support it (RFC 6891 §7). All of it takes at most
 * `timeoutMs`.
 */
export function createAttempt({ udp, tcp, health, timeoutMs, now }: AttemptOptions): Attempt {
  let withoutEdnsUntilMs = 0;

  return (question, done) => {
    let edns = now() >= withoutEdnsUntilMs;
    let isPlainRetry = false;
    let cancel = send(udp);
    const timer = setTimeout(() => {
      cancel();
      health.recordMiss();
      done({ reply: null, reason: 'timeout' });
    }, timeoutMs);

    function send(transport: DnsTransport): () => void {
      return transport(question, edns, (result) => receive(result, transport));
    }

    function end(result: AttemptResult): void {
      clearTimeout(timer);
      done(result);
    }

    function receive(result: TransportResult, transport: DnsTransport): void {
      if (result.kind === 'network') {
        health.recordMiss();
        return end({ reply: null, reason: 'network' });
      }
      health.recordAnswer();
      if (result.kind !== 'reply') {
        if (transport === tcp) return end({ reply: null, reason: 'malformed' });
        cancel = send(tcp);
      } else if (edns && NEEDS_PLAIN_QUESTION.has(result.reply.rcode)) {
        edns = false;
        isPlainRetry = true;
        cancel = send(transport);
      } else {
        // Only a different answer proves that EDNS was the problem.
        const isEdnsTheCause = isPlainRetry && !NEEDS_PLAIN_QUESTION.has(result.reply.rcode);
        if (isEdnsTheCause) withoutEdnsUntilMs = now() + WITHOUT_EDNS_FOR_MS;
        end(judge(result.reply));
      }
    }

    return () => {
      clearTimeout(timer);
      cancel();
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

/**
 * Whether a reply holds name servers without a SOA (RFC 2308 §2.2): a resolver that refers elsewhere is lame.
 */
function isReferral(reply: ReplyMessage): boolean {
  const types = new Set(reply.authorities.map((record) => record.type));
  return reply.answers.length === 0 && types.has('NS') && !types.has('SOA');
}
