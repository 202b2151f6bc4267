/**
 * The clients of the soak, in a process of their own. Each request must get exactly one answer, whole, in the
 * shape of the contract, within a bounded time.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endChild } from '../../../test/attacks/support/end-child.ts';
import { runLanes, waitFor } from '../../../test/attacks/support/lanes.ts';
import { checkAnswer } from './check-answer.ts';
import { listLanes, type SoakCall, type SoakLane } from './soak-calls.ts';

/** A render takes 30 s at most; the rest is patience with a busy machine. */
const HANG_MS = 60_000;
/** A reader that never reads goes away by itself. */
const LEAVE_MS = 120_000;
const SLOW_PAUSE_MS = 50;
const MAX_FAULTS = 30;

export interface SoakPlace {
  port: number;
  sitePort: number;
  /** A key per lane. */
  keys: readonly string[];
}

/** The results of one lane. */
export interface LaneFigures {
  /** The calls of each outcome. */
  outcomes: Record<string, number>;
  /** Milliseconds of the good responses. */
  latencies: number[];
}

export interface SoakFigures {
  sent: number;
  /** Requests with a valid key that were answered; those that are never read count when their head came. */
  answered: number;
  lanes: Record<string, LaneFigures>;
  /** No answer in time, and connections that ended without one. */
  hung: number;
  lost: number;
  /** Answers that break the contract, and what they break. */
  untyped: number;
  faults: string[];
  /** The longest time between two PDFs. */
  longestGapMs: number;
}

export interface SoakClients extends AsyncDisposable {
  /** The results so far. */
  read(): Promise<SoakFigures>;
  /** Starts no more calls, waits for those in flight, and returns the results. */
  stop(): Promise<SoakFigures>;
}

/** Starts the clients. They call until they are stopped. */
export async function startSoakClients(place: SoakPlace): Promise<SoakClients> {
  const child = fork(fileURLToPath(import.meta.url), ['soak', JSON.stringify(place)], { execArgv: [] });
  await once(child, 'message');
  const ask = async (message: 'read' | 'stop'): Promise<SoakFigures> => {
    const answer = once(child, 'message');
    child.send(message);
    return ((await answer) as [SoakFigures])[0];
  };
  return {
    read: () => ask('read'),
    stop: () => ask('stop'),
    [Symbol.asyncDispose]: () => endChild(child),
  };
}

class Clients {
  readonly figures: SoakFigures = {
    sent: 0,
    answered: 0,
    lanes: {},
    hung: 0,
    lost: 0,
    untyped: 0,
    faults: [],
    longestGapMs: 0,
  };
  readonly #place: SoakPlace;
  readonly #signal: AbortSignal;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #ids = new Set<string>();
  #lastPdfMs = performance.now();

  /** They call until the signal aborts. */
  constructor(place: SoakPlace, signal: AbortSignal) {
    this.#place = place;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    const signal = this.#signal;
    const lanes = listLanes(this.#place.sitePort);
    await Promise.all(
      lanes.map((lane, index) => {
        this.figures.lanes[lane.name] = { outcomes: {}, latencies: [] };
        const key = this.#place.keys[index] ?? '';
        const { clients: count, pauseMs: everyMs } = lane;
        return runLanes({ count, everyMs, signal }, (n) => this.#call(lane, lane.call(n), key));
      }),
    );
    this.#agent.destroy();
  }

  async #call(lane: SoakLane, call: SoakCall, key: string): Promise<void> {
    const { outcomes, latencies } = this.figures.lanes[lane.name] as LaneFigures;
    const startMs = performance.now();
    this.figures.sent += 1;
    const outcome = await this.#send(lane, call, key).catch((error: unknown) => this.#countLoss(lane, error));
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (outcome !== '200') return;
    const nowMs = performance.now();
    latencies.push(nowMs - startMs);
    if (!lane.name.startsWith('PDF')) return;
    this.figures.longestGapMs = Math.max(this.figures.longestGapMs, nowMs - this.#lastPdfMs);
    this.#lastPdfMs = nowMs;
  }

  #countLoss({ name }: SoakLane, error: unknown): string {
    const { code, message } = error as NodeJS.ErrnoException;
    const isHung = code === 'ABORT_ERR';
    this.figures[isHung ? 'hung' : 'lost'] += 1;
    const outcome = isHung ? 'hung' : (code ?? message);
    this.#addFault(`${name}: ${outcome}`);
    return outcome;
  }

  #addFault(text: string): void {
    if (this.figures.faults.length < MAX_FAULTS) this.figures.faults.push(text);
  }

  /** Sends a call and returns its outcome. Rejects if there is no answer, or only a part of it. */
  async #send(lane: SoakLane, call: SoakCall, key: string): Promise<string> {
    const { method, path, body, headers = {}, error: expected } = call;
    const sent = request({
      host: '127.0.0.1',
      port: this.#place.port,
      // Connections of those that read slowly end with their response.
      agent: lane.reading === 'at once' ? this.#agent : false,
      signal: AbortSignal.timeout(HANG_MS),
      method,
      path,
      headers: {
        'x-api-key': key,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
        ...headers,
      },
    });
    // A refusal may come while the body is being sent.
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve).on('error', reject);
    });
    sent.end(body);
    const answer = await response;
    const status = answer.statusCode ?? 0;
    if (status !== 401) this.figures.answered += 1;
    if (lane.reading === 'never' && status === 200) return leaveUnread(answer, this.#signal);
    const text = lane.reading === 'slowly' ? await readSlowly(answer) : await readAll(answer);
    const checked = checkAnswer({ status, headers: answer.headers, text }, expected, lane.isWhole);
    const fault = checked.fault ?? this.#findRepeated(String(answer.headers['x-request-id']));
    if (fault !== null) {
      this.figures.untyped += 1;
      this.#addFault(`${lane.name}: ${checked.outcome}: ${fault}`);
    }
    return checked.outcome;
  }

  #findRepeated(id: string): string | null {
    if (this.#ids.has(id)) return 'the X-Request-Id of another request';
    this.#ids.add(id);
    return null;
  }
}

async function readAll(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of answer.setEncoding('latin1')) text += part as string;
  return text;
}

async function readSlowly(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of answer.setEncoding('latin1')) {
    text += part as string;
    await setTimeout(SLOW_PAUSE_MS);
  }
  return text;
}

/** Reads nothing until the service closes the connection; goes away after LEAVE_MS, or at the end. */
async function leaveUnread(answer: IncomingMessage, signal: AbortSignal): Promise<string> {
  const left = new AbortController();
  answer.on('error', () => {});
  answer.socket.once('close', () => left.abort());
  await waitFor(LEAVE_MS, AbortSignal.any([left.signal, signal]));
  answer.destroy();
  return left.signal.aborted ? 'closed by the service' : 'left unread';
}

function runClients(place: SoakPlace): void {
  const stopping = new AbortController();
  const clients = new Clients(place, stopping.signal);
  const running = clients.run();
  const send = (): void => void process.send?.(clients.figures);
  process.on('message', (message) => {
    if (message === 'read') return send();
    stopping.abort();
    void running.then(send);
  });
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}

if (process.argv[2] === 'soak' && process.send !== undefined)
  runClients(JSON.parse(process.argv[3] ?? '') as SoakPlace);
