/**
 * A well-behaved caller: a fixed, modest rate of each kind of call, in a process of its own so that no
 * attacker's work delays its clock. Calls start on schedule whether or not earlier ones were answered; only
 * their number in flight is bounded.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { CALL_PLANS, type CallerPlace, type CallPlan, type Kind, KINDS } from './call-kinds.ts';
import { endChild } from './end-child.ts';

/** The results of the calls of one kind. */
export interface CallFigures {
  /** Milliseconds of every good response. */
  latencies: number[];
  /** Failed calls, counted by status and identifier, `hung`, or an error of the connection. */
  failures: Record<string, number>;
}

export type CallerReport = Record<Kind, CallFigures>;

export interface GoodCaller extends AsyncDisposable {
  start(): void;
  /** Starts no more calls, waits for those in flight, and returns the results since `start`. */
  stop(): Promise<CallerReport>;
}

/** Starts the caller's process. It calls nothing before `start`. */
export async function openGoodCaller(place: CallerPlace): Promise<GoodCaller> {
  const env: NodeJS.ProcessEnv = { ...process.env };
  delete env.NODE_TEST_CONTEXT;
  const child = fork(fileURLToPath(import.meta.url), ['call', JSON.stringify(place)], { execArgv: [], env });
  await once(child, 'message');
  return {
    start: () => void child.send('start'),
    async stop() {
      const answer = once(child, 'message');
      child.send('stop');
      const [report] = (await answer) as [CallerReport];
      return report;
    },
    [Symbol.asyncDispose]: () => endChild(child),
  };
}

class Caller {
  readonly #place: CallerPlace;
  readonly #plan: CallPlan;
  readonly #agent = new Agent({ keepAlive: true });
  #figures: CallFigures = { latencies: [], failures: {} };
  #inFlight = new Set<Promise<void>>();
  #sent = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(place: CallerPlace, kind: Kind) {
    this.#place = place;
    this.#plan = CALL_PLANS[kind];
  }

  start(): void {
    this.#figures = { latencies: [], failures: {} };
    const startMs = performance.now();
    let due = 0;
    const callIfDue = (): void => {
      for (; due <= ((performance.now() - startMs) / 1000) * this.#plan.perSecond; due += 1) this.#send();
    };
    this.#timer = setInterval(callIfDue, 1000 / this.#plan.perSecond);
    callIfDue();
  }

  async stop(): Promise<CallFigures> {
    clearInterval(this.#timer);
    await Promise.all(this.#inFlight);
    return this.#figures;
  }

  #send(): void {
    if (this.#inFlight.size >= this.#plan.maxInFlight) return;
    const call = this.#measure();
    this.#inFlight.add(call);
    void call.finally(() => this.#inFlight.delete(call));
  }

  async #measure(): Promise<void> {
    const { latencies, failures } = this.#figures;
    const startMs = performance.now();
    const failure = await this.#call();
    if (failure === null) latencies.push(performance.now() - startMs);
    else failures[failure] = (failures[failure] ?? 0) + 1;
  }

  /** Sends one call. Returns null if it succeeded, else what happened. */
  #call(): Promise<string | null> {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const { method, path, body, marker, patienceMs } = this.#plan;
    const { port, key } = this.#place;
    const call = request({
      host: '127.0.0.1',
      port,
      method,
      agent: this.#agent,
      path: path(this.#place, (this.#sent += 1)),
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
    });
    const timer = setTimeout(() => {
      resolve('hung');
      call.destroy();
    }, patienceMs);
    call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    call.on('close', () => clearTimeout(timer));
    call.on('response', (response) => {
      let text = '';
      response.setEncoding('latin1').on('data', (part: string) => (text += part));
      response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      response.on('end', () => {
        if (response.statusCode === 200 && text.includes(marker)) return resolve(null);
        const [, code = `without ${marker}`] = /"error":"(\w+)"/.exec(text) ?? [];
        resolve(`${response.statusCode} ${code}`);
      });
    });
    call.end(body);
    return promise;
  }
}

function runCaller(place: CallerPlace): void {
  const callers = KINDS.map((kind) => [kind, new Caller(place, kind)] as const);
  try {
    setPriority(constants.priority.PRIORITY_ABOVE_NORMAL);
  } catch {
    // Only root may: the clock is then as good as the machine's load lets it be.
  }
  process.on('message', (message) => {
    if (message === 'start') for (const [, caller] of callers) caller.start();
    else void report();
  });
  const report = async (): Promise<void> => {
    const figures = await Promise.all(
      callers.map(async ([kind, caller]) => [kind, await caller.stop()] as const),
    );
    process.send?.(Object.fromEntries(figures));
  };
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}

if (process.argv[2] === 'call' && process.send !== undefined)
  runCaller(JSON.parse(process.argv[3] ?? '') as CallerPlace);
