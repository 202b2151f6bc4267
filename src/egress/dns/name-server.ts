import { LRUCache } from 'lru-cache';
import type { ResolverLimits } from './limits.ts';
import { copyQuestion, encodeQuestion, RCODE } from './message.ts';
import type { ReplyMessage, Transport, TransportResult } from './message.ts';
import type { DnsFailure, DnsType } from './resolver.ts';
import type { ServerAddress } from './server-address.ts';
import { createTcpTransport } from './tcp-transport.ts';
import { UdpPool } from './udp-pool.ts';

/** A reply with NOERROR or NXDOMAIN, or the reason why there is none. */
export type ServerAnswer = ReplyMessage | DnsFailure;

const DEMOTED_AFTER_MISSES = 3;
const DEMOTED_FOR_MS = 10_000;
const WITHOUT_EDNS_FOR_MS = 300_000;
const TLD_KNOWN_FOR_MS = 300_000;
const TLD_DENIED_FOR_MS = 30_000;
const MAX_TLDS = 2000;
const NEEDS_PLAIN_QUESTION = new Set<number>([RCODE.FORMERR, RCODE.NOTIMP, RCODE.BADVERS]);
const REASONS: Partial<Record<number, DnsFailure>> = {
  [RCODE.FORMERR]: 'malformed',
  [RCODE.NOTIMP]: 'refused',
  [RCODE.REFUSED]: 'refused',
};

/** A name server: its sockets, and what is known about it. Connects to nothing before the first question. */
export class NameServer {
  readonly #udp: UdpPool;
  readonly #sendUdp: Transport = (question, done) => this.#udp.send(question, done);
  readonly #sendTcp: Transport;
  readonly #timeoutMs: number;
  readonly #now: () => number;
  /** By top-level domain; null if the server knows it. */
  readonly #tldFaults: LRUCache<string, Promise<DnsFailure | null>>;
  #misses = 0;
  #demotedUntilMs = 0;
  #withoutEdnsUntilMs = 0;

  constructor(address: ServerAddress, limits: ResolverLimits, now: () => number) {
    this.#udp = new UdpPool(address, limits.socketsPerServer, limits.questionsPerSocket);
    this.#sendTcp = createTcpTransport(address);
    this.#timeoutMs = limits.attemptTimeoutMs;
    this.#tldFaults = new LRUCache({ max: MAX_TLDS, perf: { now }, ttl: TLD_KNOWN_FOR_MS, ttlResolution: 0 });
    this.#now = now;
  }

  /** True if other servers should be queried first. Three misses in a row demote a server for 10 s. */
  get isDemoted(): boolean {
    return this.#now() < this.#demotedUntilMs;
  }

  recordMiss(): void {
    this.#misses += 1;
    if (this.#misses >= DEMOTED_AFTER_MISSES) this.#demotedUntilMs = this.#now() + DEMOTED_FOR_MS;
  }

  /**
   * Sends one question over UDP, then over TCP if the reply is truncated or malformed, and once more without
   * EDNS if the server does not support it (RFC 6891 §7). Calls `done` once, never before it returns. Returns
   * the function that cancels.
   */
  query(question: Buffer, done: (answer: ServerAnswer) => void): () => void {
    let hasEdns = this.#now() >= this.#withoutEdnsUntilMs;
    let isPlainRetry = false;
    const send = (transport: Transport): (() => void) =>
      transport(copyQuestion(question, hasEdns), (result) => receive(result, transport));
    const end = (answer: ServerAnswer): void => {
      clearTimeout(timer);
      if (answer === 'network' || answer === 'timeout') this.recordMiss();
      done(answer);
    };
    const receive = (result: TransportResult, transport: Transport): void => {
      if (result === 'network') return end(result);
      this.#misses = 0;
      if (typeof result === 'string') {
        if (transport === this.#sendTcp) return end('malformed');
        cancelMessage = send(this.#sendTcp);
      } else if (hasEdns && NEEDS_PLAIN_QUESTION.has(result.rcode)) {
        hasEdns = false;
        isPlainRetry = true;
        cancelMessage = send(transport);
      } else {
        // Only a different answer proves that EDNS was the problem.
        if (isPlainRetry && !NEEDS_PLAIN_QUESTION.has(result.rcode))
          this.#withoutEdnsUntilMs = this.#now() + WITHOUT_EDNS_FOR_MS;
        end(isAnswer(result) ? result : (REASONS[result.rcode] ?? 'servfail'));
      }
    };
    let cancelMessage = send(this.#sendUdp);
    const timer = setTimeout(() => {
      cancelMessage();
      end('timeout');
    }, this.#timeoutMs);
    return () => {
      clearTimeout(timer);
      cancelMessage();
    };
  }

  /**
   * Checks that the server knows a top-level domain; resolves with the failure if not. A server that denies
   * an existing one denies everything below it (RFC 8020), so its NXDOMAIN proves nothing: it is a captive
   * portal or a closed network. Costs one question per domain, cached; only an NXDOMAIN causes it.
   */
  checkTld(tld: string): Promise<DnsFailure | null> {
    let fault = this.#tldFaults.get(tld);
    if (!fault) {
      fault = this.#queryTld(tld);
      this.#tldFaults.set(tld, fault);
    }
    return fault;
  }

  close(): void {
    this.#udp.close();
  }

  async #queryTld(tld: string): Promise<DnsFailure | null> {
    const ask = (type: DnsType): Promise<ServerAnswer> => {
      const question = encodeQuestion(tld, type);
      return new Promise((resolve) => (question ? this.query(question, resolve) : resolve('malformed')));
    };
    // Every resolver knows these name servers; simple forwarders refuse types other than addresses.
    let answer = await ask('NS');
    if (typeof answer === 'string') answer = await ask('A');
    if (typeof answer === 'string') {
      this.#tldFaults.delete(tld);
      return answer;
    }
    if (answer.rcode !== RCODE.NXDOMAIN) return null;
    this.#tldFaults.set(tld, Promise.resolve('lying_resolver'), { ttl: TLD_DENIED_FOR_MS });
    return 'lying_resolver';
  }
}

/**
 * Reports whether a reply can be an answer. One with name servers but no SOA is not (RFC 2308 §2.2): a
 * resolver that refers elsewhere is lame.
 */
function isAnswer({ rcode, answers, authorities }: ReplyMessage): boolean {
  if (rcode !== RCODE.NOERROR || answers.length > 0)
    return rcode === RCODE.NOERROR || rcode === RCODE.NXDOMAIN;
  return !authorities.some(({ type }) => type === 'NS') || authorities.some(({ type }) => type === 'SOA');
}
