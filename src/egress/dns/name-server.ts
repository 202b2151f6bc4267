import { randomInt } from 'node:crypto';
import { type Socket, connect } from 'node:net';
import { LRUCache } from 'lru-cache';
import { type ExchangeResult, RCODE, type ReplyMessage, encodeQuestion, parseReply } from './message.ts';
import type { DnsFailure, DnsType, ResolverLimits, ServerAddress } from './resolver.ts';
import { UdpPool } from './udp-pool.ts';

/**
 * Sends a question on a connection of its own (RFC 7766), for answers that are too large for UDP, and closes
 * it. Has no timeout. Never rejects.
 */
async function exchangeOverTcp(
  socket: Socket,
  question: Buffer,
): Promise<ReplyMessage | 'malformed' | 'network'> {
  question.writeUInt16BE(randomInt(0x1_0000), 0);
  // The length prefix of TCP (RFC 1035 §4.2.2).
  socket.write(Buffer.concat([Buffer.from([question.length >> 8, question.length & 0xff]), question]));
  let received = Buffer.alloc(0);
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) continue;
      const message = received.subarray(2, 2 + received.readUInt16BE(0));
      const hasId = message.length >= 2 && message.readUInt16BE(0) === question.readUInt16BE(0);
      const result = hasId ? parseReply(message, question) : 'malformed';
      return typeof result === 'object' ? result : 'malformed';
    }
  } catch {
    // Refused, reset, or closed by the caller.
  }
  return 'network';
}

/** A reply with NOERROR or NXDOMAIN, or the reason why there is none. */
export type QueryResult = ReplyMessage | DnsFailure;

const DEMOTED_AFTER_MISSES = 3;
const DEMOTED_FOR_MS = 10_000;
const WITHOUT_EDNS_FOR_MS = 300_000;
const TLD_KNOWN_FOR_MS = 300_000;
const TLD_DENIED_FOR_MS = 30_000;
const MAX_TLDS = 2000;
/** The replies of servers without EDNS to a question with it (RFC 6891 §7). */
const EDNS_REFUSALS = new Set<number>([RCODE.FORMERR, RCODE.NOTIMP, RCODE.BADVERS]);
const REASONS: Partial<Record<number, DnsFailure>> = {
  [RCODE.FORMERR]: 'malformed',
  [RCODE.NOTIMP]: 'refused',
  [RCODE.REFUSED]: 'refused',
};

/** A name server: its sockets, and what is known about it. Connects to nothing before the first question. */
export class NameServer {
  readonly #address: ServerAddress;
  readonly #timeoutMs: number;
  readonly #now: () => number;
  readonly #udp: UdpPool;
  /** The failure for each top-level domain that was checked; null if the server knows it. */
  readonly #tldFaults: LRUCache<string, Promise<DnsFailure | null>>;
  #misses = 0;
  #demotedUntilMs = 0;
  #withoutEdnsUntilMs = 0;

  constructor(address: ServerAddress, limits: ResolverLimits, now: () => number) {
    this.#address = address;
    this.#timeoutMs = limits.attemptTimeoutMs;
    this.#now = now;
    this.#udp = new UdpPool(address, limits);
    this.#tldFaults = new LRUCache({ max: MAX_TLDS, perf: { now }, ttl: TLD_KNOWN_FOR_MS, ttlResolution: 0 });
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
   * EDNS if the server refuses it. Calls `done` once, possibly before it returns. Returns the function that
   * cancels the question.
   */
  query(name: string, type: DnsType, done: (result: QueryResult) => void): () => void {
    let isOver = false;
    let tcpSocket: Socket | null = null;
    const timer = setTimeout(() => end('timeout'), this.#timeoutMs);
    const cancel = (): void => {
      isOver = true;
      clearTimeout(timer);
      tcpSocket?.destroy();
    };
    const end = (result: QueryResult): void => {
      cancel();
      if (result === 'network' || result === 'timeout') this.recordMiss();
      else this.#misses = 0;
      done(result);
    };
    const ask = (hasEdns: boolean): void => {
      const question = encodeQuestion(name, type, hasEdns);
      if (!question) return end('malformed');
      const receive = (result: ExchangeResult): void => {
        if (isOver) return;
        if (result === 'truncated' || (result === 'malformed' && !tcpSocket)) {
          tcpSocket = connect({ ...this.#address, noDelay: true });
          void exchangeOverTcp(tcpSocket, question).then(receive);
        } else if (typeof result === 'string') end(result);
        else if (hasEdns && EDNS_REFUSALS.has(result.rcode)) ask(false);
        else end(this.#judge(result, hasEdns));
      };
      this.#udp.send(question, receive);
    };
    ask(this.#hasEdns);
    return cancel;
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

  get #hasEdns(): boolean {
    return this.#now() >= this.#withoutEdnsUntilMs;
  }

  /**
   * Returns the reply if it can be an answer. A reply with name servers but no SOA is a referral (RFC 2308
   * §2.2), and a resolver that refers elsewhere is lame.
   */
  #judge(reply: ReplyMessage, hasEdns: boolean): QueryResult {
    const { rcode, answers, authorities } = reply;
    // Only a different answer proves that EDNS was the problem.
    if (!hasEdns && this.#hasEdns && !EDNS_REFUSALS.has(rcode))
      this.#withoutEdnsUntilMs = this.#now() + WITHOUT_EDNS_FOR_MS;
    if (rcode !== RCODE.NOERROR && rcode !== RCODE.NXDOMAIN) return REASONS[rcode] ?? 'servfail';
    const has = (wanted: string): boolean => authorities.some(({ type }) => type === wanted);
    return rcode === RCODE.NOERROR && answers.length === 0 && has('NS') && !has('SOA') ? 'servfail' : reply;
  }

  async #queryTld(tld: string): Promise<DnsFailure | null> {
    const ask = (type: DnsType): Promise<QueryResult> =>
      new Promise((done) => void this.query(tld, type, done));
    // Every resolver knows these name servers; simple forwarders refuse types other than addresses.
    let result = await ask('NS');
    if (typeof result === 'string') result = await ask('A');
    if (typeof result === 'string') {
      this.#tldFaults.delete(tld);
      return result;
    }
    if (result.rcode !== RCODE.NXDOMAIN) return null;
    this.#tldFaults.set(tld, Promise.resolve('lying_resolver'), { ttl: TLD_DENIED_FOR_MS });
    return 'lying_resolver';
  }
}
