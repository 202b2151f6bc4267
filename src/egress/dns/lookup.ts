import { extractAnswer, type CnameChain, type FreshAnswer } from './extract-answer.ts';
import type { ResolverLimits } from './limits.ts';
import { encodeQuestion, RCODE } from './message.ts';
import type { NameServer, ServerAnswer } from './name-server.ts';
import type { DnsFailure, DnsType } from './resolver.ts';

export type LookupResult = FreshAnswer | { outcome: 'failure'; reason: DnsFailure };

interface Attempt {
  server: NameServer;
  cancel: () => void;
}

/** The most specific reason first. */
const REASONS: DnsFailure[] = ['lying_resolver', 'servfail', 'refused', 'malformed', 'timeout', 'network'];
/** Reasons that the same server would repeat. */
const IS_FINAL = new Set<DnsFailure>(['lying_resolver', 'refused', 'malformed', 'network']);

export interface LookupOptions {
  servers: NameServer[];
  name: string;
  type: DnsType;
  limits: ResolverLimits;
  /** Called once, never before `start` returns. */
  done: (result: LookupResult) => void;
}

/**
 * Looks up one name and follows CNAMEs. Queries the servers in turn, each at most twice: the next one as soon
 * as one fails, or in parallel with one that has not answered for `hedgeAfterMs`. The first usable reply
 * wins. Has no cache and no deadline.
 */
export class Lookup {
  readonly #options: LookupOptions;
  readonly #chain: CnameChain;
  #question: Buffer | null = null;
  /** The servers to query next, in order. */
  #plan: NameServer[] = [];
  #running: Attempt[] = [];
  #reason: DnsFailure = 'network';
  #hedgeTimer: NodeJS.Timeout | undefined;

  constructor(options: LookupOptions) {
    const { name, limits } = options;
    this.#options = options;
    this.#chain = { name, seen: new Set([name]), ttlSeconds: limits.maxTtlSeconds };
  }

  start(): void {
    this.#question = encodeQuestion(this.#chain.name, this.#options.type);
    this.#reason = this.#question ? 'network' : 'malformed';
    const order = this.#options.servers.toSorted((a, b) => Number(a.isDemoted) - Number(b.isDemoted));
    this.#plan = this.#question ? [...order, ...order] : [];
    if (this.#plan.length > 0) this.#queryNext();
    else queueMicrotask(() => this.#queryNext());
  }

  cancel(): void {
    clearTimeout(this.#hedgeTimer);
    for (const { cancel } of this.#running) cancel();
    this.#running = [];
  }

  #queryNext(): void {
    clearTimeout(this.#hedgeTimer);
    const server = this.#plan.shift();
    if (!server || !this.#question) {
      if (this.#running.length === 0) this.#options.done({ outcome: 'failure', reason: this.#reason });
      return;
    }
    const attempt = {
      server,
      cancel: server.query(this.#question, (answer) => this.#onAnswer(answer, attempt)),
    };
    this.#running.push(attempt);
    if (this.#plan.some((next) => next !== server))
      this.#hedgeTimer = setTimeout(() => this.#hedge(), this.#options.limits.hedgeAfterMs);
  }

  #hedge(): void {
    if (!this.#running.some(({ server }) => server === this.#plan[0])) this.#queryNext();
  }

  #onAnswer(answer: ServerAnswer, attempt: Attempt): void {
    if (typeof answer === 'string' || answer.rcode !== RCODE.NXDOMAIN) this.#receive(answer, attempt);
    else void this.#verifyDenial(answer, attempt);
  }

  async #verifyDenial(denial: ServerAnswer, attempt: Attempt): Promise<void> {
    const { name } = this.#options;
    const fault = await attempt.server.checkTld(name.slice(name.lastIndexOf('.') + 1));
    if (this.#running.includes(attempt)) this.#receive(fault ?? denial, attempt);
  }

  #receive(answer: ServerAnswer, attempt: Attempt): void {
    this.#running = this.#running.filter((other) => other !== attempt);
    if (typeof answer === 'string') {
      if (REASONS.indexOf(answer) < REASONS.indexOf(this.#reason)) this.#reason = answer;
      if (IS_FINAL.has(answer)) this.#plan = this.#plan.filter((server) => server !== attempt.server);
      this.#queryNext();
      return;
    }
    for (const { server } of this.#running) server.recordMiss();
    this.cancel();
    const { type, limits, done } = this.#options;
    const result = extractAnswer(answer, type, this.#chain, limits);
    if (result === 'follow') this.start();
    else done(result === 'loop' ? { outcome: 'failure', reason: 'servfail' } : result);
  }
}
