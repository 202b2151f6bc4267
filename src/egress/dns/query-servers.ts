import type { AttemptResult } from './attempt.ts';
import type { NameServer, Question } from './name-server.ts';
import type { DnsFailure } from './resolver.ts';

/** The most specific reason first. */
const REASONS: DnsFailure[] = ['lying_resolver', 'servfail', 'refused', 'malformed', 'timeout', 'network'];

/** Reasons that the same server would repeat. */
const IS_FINAL = new Set<DnsFailure>(['lying_resolver', 'refused', 'malformed', 'network']);

interface RunningAttempt {
  server: NameServer;
  cancel: () => void;
}

/** The healthy servers in their order, then the demoted ones; all of them twice. */
function planAttempts(servers: NameServer[]): NameServer[] {
  const healthy = servers.filter((server) => !server.health.isDemoted());
  const order = [...healthy, ...servers.filter((server) => !healthy.includes(server))];
  return [...order, ...order];
}

class ServerQuery {
  readonly #question: Question;
  readonly #hedgeAfterMs: number;
  readonly #done: (result: AttemptResult) => void;
  readonly #plan: NameServer[];
  readonly #running = new Set<RunningAttempt>();
  readonly #reasons = new Set<DnsFailure>();
  readonly #excluded = new Set<NameServer>();
  #hedgeTimer: NodeJS.Timeout | undefined;

  constructor(
    servers: NameServer[],
    question: Question,
    hedgeAfterMs: number,
    done: (result: AttemptResult) => void,
  ) {
    this.#plan = planAttempts(servers);
    this.#question = question;
    this.#hedgeAfterMs = hedgeAfterMs;
    this.#done = done;
  }

  start(): void {
    clearTimeout(this.#hedgeTimer);
    const server = this.#takeNext();
    if (!server) {
      if (this.#running.size === 0) this.#fail();
      return;
    }
    const attempt: RunningAttempt = {
      server,
      cancel: server.query(this.#question, (result) => this.#onResult(attempt, result)),
    };
    this.#running.add(attempt);
    const hasAnother = this.#plan.some((next) => !this.#excluded.has(next) && next !== server);
    if (hasAnother) this.#hedgeTimer = setTimeout(() => this.#hedge(), this.#hedgeAfterMs);
  }

  cancel(): void {
    clearTimeout(this.#hedgeTimer);
    for (const { cancel } of this.#running) cancel();
    this.#running.clear();
  }

  #takeNext(): NameServer | undefined {
    let server = this.#plan.shift();
    while (server && this.#excluded.has(server)) server = this.#plan.shift();
    return server;
  }

  #hedge(): void {
    const isRunning = [...this.#running].some(({ server }) => server === this.#plan[0]);
    if (!isRunning) this.start();
  }

  #onResult(attempt: RunningAttempt, result: AttemptResult): void {
    this.#running.delete(attempt);
    if (result.reply) {
      for (const { server } of this.#running) server.health.recordMiss();
      this.cancel();
      this.#done(result);
      return;
    }
    this.#reasons.add(result.reason);
    if (IS_FINAL.has(result.reason)) this.#excluded.add(attempt.server);
    this.start();
  }

  #fail(): void {
    this.#done({ reply: null, reason: REASONS.find((reason) => this.#reasons.has(reason)) ?? 'network' });
  }
}

/**
 * Queries the servers in turn, each at most twice: the next one as soon as one fails, or in parallel with one
 * that has not answered for `hedgeAfterMs`. The first usable reply wins. Calls `done` once, never before it
 * returns. Returns the function that cancels.
 */
export function queryServers(
  servers: NameServer[],
  question: Question,
  hedgeAfterMs: number,
  done: (result: AttemptResult) => void,
): () => void {
  const query = new ServerQuery(servers, question, hedgeAfterMs, done);
  if (servers.length === 0) queueMicrotask(() => query.start());
  else query.start();
  return () => query.cancel();
}
