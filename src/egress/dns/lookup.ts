import { DeadlineExceeded, type Semaphore, continueInTurn, onAbort } from '#concurrency';
import type { AnswerCache } from './answer-cache.ts';
import type { DnsAnswer, DnsFailure, DnsRecords, DnsType, ResolverLimits, ServerAnswer } from './resolver.ts';
import { RCODE, type ReplyMessage } from './message.ts';
import type { NameServer, QueryResult } from './name-server.ts';

/** The parts of a resolver that its lookups share. */
export interface LookupContext {
  /** Queried in this order. */
  servers: NameServer[];
  limits: ResolverLimits;
  cache: AnswerCache;
  semaphore: Semaphore;
  /**
   * The pending lookups, by type and name. An object without a prototype: a Map that grows and shrinks all
   * the time keeps its former tables, and what was in them, alive until a major garbage collection. That
   * doubled the CPU time.
   */
  running: Record<string, Lookup>;
  /** Called when a lookup ends. */
  onEnd: ((outcome: LookupOutcome, ms: number) => void) | undefined;
}

/** The result of a lookup; `aborted`: its last caller aborted. */
export type LookupOutcome = ServerAnswer['outcome'] | DnsFailure | 'aborted';

/** A query in progress, or the check of the denial in its reply. */
interface Attempt {
  server: NameServer;
  cancel: () => void;
}

/** The most specific reason first. */
const REASONS: DnsFailure[] = ['lying_resolver', 'servfail', 'refused', 'malformed', 'timeout', 'network'];
/** Reasons that the same server would repeat. */
const IS_FINAL = new Set<DnsFailure>(['lying_resolver', 'refused', 'malformed', 'network']);

/**
 * The lookup of one name and type, shared by all callers that ask for it meanwhile. Waits for a place, then
 * queries the servers in turn, each at most twice: the next server as soon as one fails, or in parallel with
 * one that has not answered within `hedgeAfterMs`. If no server is left, one that was silent and then
 * answered SERVFAIL, as a resolver does that waits for another one, is queried a third time. The first usable
 * reply wins; its CNAMEs are followed.
 */
export class Lookup {
  readonly #context: LookupContext;
  readonly #key: string;
  readonly #type: DnsType;
  readonly #chain: CnameChain;
  readonly #answer = Promise.withResolvers<DnsAnswer>();
  readonly #timers: NodeJS.Timeout[];
  readonly #release: (() => void) | null;
  readonly #startedAtMs = performance.now();
  readonly #stale: DnsAnswer | null;
  #callers = 0;
  #isStarted = false;
  #isOver = false;
  /** The servers to query next, in order. */
  #plan: NameServer[] = [];
  #attempts: Attempt[] = [];
  #reason: DnsFailure = 'network';
  /** The servers that did not answer in time, and may be asked a third time. */
  readonly #silent = new Set<NameServer>();
  #hedgeTimer: NodeJS.Timeout | undefined;

  constructor(context: LookupContext, key: string, name: string, type: DnsType) {
    const { limits, cache, semaphore, running } = context;
    this.#context = context;
    this.#key = key;
    this.#type = type;
    this.#chain = { name, seen: [name], ttlSeconds: limits.maxTtlSeconds };
    running[key] = this;
    this.#timers = [setTimeout(() => this.fail('timeout'), limits.timeoutMs)];
    const stale = (this.#stale = cache.findStale(key));
    if (stale) this.#timers.push(setTimeout(() => this.#answer.resolve(stale), limits.staleAfterMs));
    this.#release = semaphore.tryAcquire(() => {
      this.#isStarted = true;
      continueInTurn(() => this.#isOver || this.#start());
    });
    if (this.#release === null) this.fail('overloaded');
    else if (this.#isOver) this.#release();
    else if (!this.#isStarted)
      this.#timers.push(setTimeout(() => this.#isStarted || this.fail('overloaded'), limits.maxWaitMs));
  }

  /**
   * Waits for the answer. Rejects with the signal's reason; a caller whose deadline has passed gets the stale
   * answer, if there is one. The last caller that aborts ends the lookup.
   */
  wait(signal: AbortSignal | undefined): Promise<DnsAnswer> {
    this.#callers += 1;
    if (!signal) return this.#answer.promise;
    const { promise, resolve, reject } = Promise.withResolvers<DnsAnswer>();
    const stopListening = onAbort(signal, (reason) => {
      this.#callers -= 1;
      if (this.#callers === 0) this.#end('aborted');
      if (this.#stale && reason instanceof DeadlineExceeded) resolve(this.#stale);
      else reject(reason);
    });
    const onAnswer = (answer: DnsAnswer): void => {
      stopListening();
      resolve(answer);
    };
    void this.#answer.promise.then(onAnswer);
    return promise;
  }

  fail(reason: DnsFailure): void {
    this.#resolve({ outcome: 'failure', reason });
  }

  #resolve(answer: DnsAnswer): void {
    if (this.#isOver) return;
    this.#end(answer.outcome === 'failure' ? answer.reason : answer.outcome);
    const stored = this.#context.cache.store(this.#key, answer);
    continueInTurn(() => this.#answer.resolve(stored));
  }

  #end(outcome: LookupOutcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#context.onEnd?.(outcome, performance.now() - this.#startedAtMs);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#cancelAttempts();
    this.#release?.();
    delete this.#context.running[this.#key];
  }

  #start(): void {
    const order = this.#context.servers.toSorted((a, b) => Number(a.isDemoted) - Number(b.isDemoted));
    this.#plan = [...order, ...order];
    this.#reason = 'network';
    this.#queryNext();
  }

  #queryNext(): void {
    clearTimeout(this.#hedgeTimer);
    const server = this.#plan.shift();
    if (!server) {
      if (this.#attempts.length === 0) this.fail(this.#reason);
      return;
    }
    const attempt: Attempt = { server, cancel: () => {} };
    this.#attempts.push(attempt);
    if (this.#plan.some((next) => next !== server))
      this.#hedgeTimer = setTimeout(() => this.#hedge(), this.#context.limits.hedgeAfterMs);
    attempt.cancel = server.query(this.#chain.name, this.#type, (result) => this.#onResult(result, attempt));
  }

  #hedge(): void {
    if (!this.#attempts.some(({ server }) => server === this.#plan[0])) this.#queryNext();
  }

  #cancelAttempts(): void {
    clearTimeout(this.#hedgeTimer);
    for (const { cancel } of this.#attempts) cancel();
    this.#attempts = [];
  }

  #onResult(result: QueryResult, attempt: Attempt): void {
    if (typeof result === 'string' || result.rcode !== RCODE.NXDOMAIN) this.#receive(result, attempt);
    else void this.#verifyDenial(result, attempt);
  }

  async #verifyDenial(denial: QueryResult, attempt: Attempt): Promise<void> {
    // The queried name, not its last alias: a server that knows the queried name is not a closed network.
    const name = this.#chain.seen[0] ?? '';
    const fault = await attempt.server.checkTld(name.slice(name.lastIndexOf('.') + 1));
    if (this.#attempts.includes(attempt)) this.#receive(fault ?? denial, attempt);
  }

  #receive(result: QueryResult, attempt: Attempt): void {
    this.#attempts = this.#attempts.filter((other) => other !== attempt);
    if (typeof result === 'string') {
      if (REASONS.indexOf(result) < REASONS.indexOf(this.#reason)) this.#reason = result;
      if (IS_FINAL.has(result)) this.#plan = this.#plan.filter((server) => server !== attempt.server);
      this.#planThird(result, attempt.server);
      return this.#queryNext();
    }
    for (const { server } of this.#attempts) server.recordMiss();
    this.#cancelAttempts();
    const answer = extractAnswer(result, this.#type, this.#chain, this.#context.limits);
    if (answer === 'follow') this.#start();
    else if (answer === 'loop') this.fail('servfail');
    else this.#resolve(answer);
  }

  #planThird(failure: DnsFailure, server: NameServer): void {
    if (failure === 'timeout') this.#silent.add(server);
    const isLast = this.#plan.length === 0 && this.#attempts.length === 0;
    if (failure === 'servfail' && isLast && this.#silent.delete(server)) this.#plan.push(server);
  }
}

/** The CNAMEs followed so far. */
interface CnameChain {
  name: string;
  seen: string[];
  ttlSeconds: number;
}

const MAX_CNAMES = 16;

/**
 * Returns the answer of a NOERROR or NXDOMAIN reply for `chain.name`. Advances `chain` along the reply's
 * CNAMEs. `follow`: the last CNAME's target needs another question. `loop`: the chain is circular or too
 * long.
 */
export function extractAnswer<T extends DnsType>(
  { rcode, answers, authorities }: ReplyMessage,
  type: T,
  chain: CnameChain,
  limits: ResolverLimits,
): ServerAnswer<T> | 'follow' | 'loop' {
  const queriedName = chain.name;
  for (;;) {
    const records: DnsRecords[T][] = [];
    let { ttlSeconds } = chain;
    for (const record of answers) {
      if (record.owner !== chain.name || record.type !== type || !('data' in record)) continue;
      records.push(record.data as DnsRecords[T]);
      ttlSeconds = Math.min(ttlSeconds, record.ttlSeconds);
    }
    if (records.length > 0) return { outcome: 'records', records, ttlSeconds, stale: false };
    const alias = answers.find((record) => record.owner === chain.name && record.type === 'CNAME');
    if (alias?.type !== 'CNAME') break;
    if (chain.seen.includes(alias.data) || chain.seen.length > MAX_CNAMES) return 'loop';
    chain.seen.push(alias.data);
    chain.name = alias.data;
    chain.ttlSeconds = Math.min(chain.ttlSeconds, alias.ttlSeconds);
  }
  const soa = authorities.find(({ type: kind, owner }) => kind === 'SOA' && isAtOrAbove(owner, chain.name));
  const isDenied = rcode === RCODE.NXDOMAIN;
  // RFC 2308 §2.2: without a SOA, the server may know nothing about the target: it needs its own question.
  if (!isDenied && !soa && chain.name !== queriedName) return 'follow';
  // RFC 2308 §5: the lesser of the SOA's TTL and its minimum field.
  const negativeTtlSeconds =
    soa?.type === 'SOA' ? Math.min(soa.ttlSeconds, soa.minimumSeconds) : limits.defaultNegativeTtlSeconds;
  const ttlSeconds = Math.min(chain.ttlSeconds, limits.maxNegativeTtlSeconds, negativeTtlSeconds);
  return { outcome: isDenied ? 'nxdomain' : 'nodata', ttlSeconds, stale: false };
}

function isAtOrAbove(zone: string, name: string): boolean {
  return zone === '' || zone === name || name.endsWith(`.${zone}`);
}
