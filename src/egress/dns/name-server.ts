import { createAttempt, type AttemptResult } from './attempt.ts';
import type { ResolverLimits } from './limits.ts';
import { RCODE, type EncodedQuestion } from './message.ts';
import type { ServerAddress } from './server-address.ts';
import { createServerHealth, type ServerHealth } from './server-health.ts';
import { createTcpTransport } from './tcp-transport.ts';
import { createTldCheck } from './tld-check.ts';
import { openUdpPool } from './udp-pool.ts';

export interface Question {
  encoded: EncodedQuestion;
  /** The top-level domain that a server must know before its NXDOMAIN counts. */
  topLevelDomain: string;
}

export interface NameServer {
  health: ServerHealth;
  /**
   * Sends one question and verifies an NXDOMAIN. Calls `done` once, never before it returns. Returns the
   * cancel function.
   */
  query(question: Question, done: (result: AttemptResult) => void): () => void;
  close(): void;
}

/** Opens a name server: its sockets, its health and its known top-level domains. Connects to nothing yet. */
export function openNameServer(
  address: ServerAddress,
  limits: ResolverLimits,
  now: () => number,
): NameServer {
  const pool = openUdpPool(address, limits.socketsPerServer, limits.questionsPerSocket);
  const health = createServerHealth(now);
  const attempt = createAttempt({
    udp: pool.transport,
    tcp: createTcpTransport(address),
    health,
    timeoutMs: limits.attemptTimeoutMs,
    now,
  });
  const checkTld = createTldCheck(attempt, now);

  function query({ encoded, topLevelDomain }: Question, done: (result: AttemptResult) => void): () => void {
    let isCanceled = false;
    const cancel = attempt(encoded, (result) => {
      if (result.reply?.rcode !== RCODE.NXDOMAIN) return done(result);
      checkTld(topLevelDomain, (fault) => {
        if (!isCanceled) done(fault ? { reply: null, reason: fault } : result);
      });
    });
    return () => {
      isCanceled = true;
      cancel();
    };
  }

  return { health, query, close: () => pool.close() };
}
