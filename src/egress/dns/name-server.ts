import { createAttempt, type AttemptResult } from './attempt.ts';
import type { ResolverLimits } from './limits.ts';
import { RCODE, type EncodedQuestion } from './message.ts';
import type { ServerAddress } from './server-address.ts';
import { createServerHealth, type ServerHealth } from './server-health.ts';
import { createTcpExchange } from './tcp-transport.ts';
import { createTldWitness } from './tld-check.ts';
import { openUdpPool } from './udp-pool.ts';

/** A question, and the top-level domain that whoever denies the name must admit. */
export interface Question {
  encoded: EncodedQuestion;
  topLevelDomain: string;
}

export interface NameServer {
  health: ServerHealth;
  /** Asks once, and has a denial confirmed. Calls `done` once, never before it returns; gives a function that gives up. */
  ask(question: Question, done: (result: AttemptResult) => void): () => void;
  close(): void;
}

export function openNameServer(
  address: ServerAddress,
  limits: ResolverLimits,
  now: () => number,
): NameServer {
  const pool = openUdpPool(address, limits.socketsPerServer, limits.questionsPerSocket);
  const health = createServerHealth(now);
  const attempt = createAttempt({
    udp: pool.exchange,
    tcp: createTcpExchange(address),
    health,
    timeoutMs: limits.attemptTimeoutMs,
    now,
  });
  const checkTld = createTldWitness(attempt, now);

  function ask({ encoded, topLevelDomain }: Question, done: (result: AttemptResult) => void): () => void {
    let isOver = false;
    const giveUp = attempt(encoded, (result) => {
      if (result.reply?.rcode !== RCODE.NXDOMAIN) return done(result);
      checkTld(topLevelDomain, (fault) => {
        if (!isOver) done(fault ? { reply: null, reason: fault } : result);
      });
    });
    return () => {
      isOver = true;
      giveUp();
    };
  }

  return { health, ask, close: () => pool.close() };
}
