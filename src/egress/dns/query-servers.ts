import type { AttemptResult } from './attempt.ts';
import type { NameServer, Question } from './name-server.ts';
import type { DnsFailure } from './resolver.ts';

/** The most telling reason first. */
const REASONS: DnsFailure[] = ['lying_resolver', 'servfail', 'refused', 'malformed', 'timeout', 'network'];

/** What the same server would only repeat. */
const IS_FINAL = new Set<DnsFailure>(['lying_resolver', 'refused', 'malformed', 'network']);

interface RunningAttempt {
  server: NameServer;
  giveUp: () => void;
}

/**
 * Asks the servers in turn, each at most twice: the next as soon as one fails, or beside one that is silent for `hedgeAfterMs`.
 * The first usable reply wins. Calls `done` once, never before it returns; gives a function that gives up.
 */
export function askServers(
  servers: NameServer[],
  question: Question,
  hedgeAfterMs: number,
  done: (result: AttemptResult) => void,
): () => void {
  const healthy = servers.filter((server) => !server.health.isDemoted());
  const order = [...healthy, ...servers.filter((server) => !healthy.includes(server))];
  const plan = [...order, ...order];
  const running = new Set<RunningAttempt>();
  const reasons = new Set<DnsFailure>();
  const excluded = new Set<NameServer>();
  let hedge: NodeJS.Timeout | undefined;

  function stop(): void {
    clearTimeout(hedge);
    for (const { giveUp } of running) giveUp();
    running.clear();
  }

  function takeNext(): NameServer | undefined {
    let server = plan.shift();
    while (server && excluded.has(server)) server = plan.shift();
    return server;
  }

  function start(): void {
    clearTimeout(hedge);
    const server = takeNext();
    if (!server) {
      if (running.size === 0)
        done({ reply: null, reason: REASONS.find((reason) => reasons.has(reason)) ?? 'network' });
      return;
    }
    const attempt: RunningAttempt = {
      server,
      giveUp: server.ask(question, (result) => receive(attempt, result)),
    };
    running.add(attempt);
    const isAnotherLeft = plan.some((next) => !excluded.has(next) && next !== server);
    if (isAnotherLeft) hedge = setTimeout(startBeside, hedgeAfterMs);
  }

  function startBeside(): void {
    const isRunning = [...running].some(({ server }) => server === plan[0]);
    if (!isRunning) start();
  }

  function receive(attempt: RunningAttempt, result: AttemptResult): void {
    running.delete(attempt);
    if (result.reply) {
      for (const { server } of running) server.health.noteMiss();
      stop();
      return done(result);
    }
    reasons.add(result.reason);
    if (IS_FINAL.has(result.reason)) excluded.add(attempt.server);
    start();
  }

  if (servers.length === 0) queueMicrotask(start);
  else start();
  return stop;
}
