/** The requests of the pictures: two months of them, with the errors that such services see. */
import { createUsageRecorder, type UsageEvent, type UsageStore } from '#usage';
import { createRandom, DAY_MS, HOUR_MS, PRESENT_MS } from './example-clock.ts';
import type { ExampleKey } from './example-accounts.ts';

const DAYS = 60;

/** The part of a day's requests in each hour (UTC), by its weight. */
const HOURS = [2, 1, 1, 1, 2, 4, 9, 16, 25, 31, 33, 30, 27, 31, 33, 31, 27, 21, 17, 15, 13, 10, 6, 4];
const HOURS_SUM = HOURS.reduce((sum, hour) => sum + hour);

/** A way in which requests end: the part of all requests, and the fastest and the slowest. */
interface Outcome {
  part: number;
  status: number;
  error?: string;
  param?: string;
  ms: readonly [from: number, to: number];
}

const OUTCOMES: Readonly<Record<string, readonly Outcome[]>> = {
  validateEmail: [
    { part: 0.991, status: 200, ms: [1, 14] },
    { part: 0.006, status: 400, error: 'invalid_parameter', param: 'check_mx', ms: [1, 2] },
    { part: 0.003, status: 429, error: 'rate_limit_exceeded', ms: [1, 2] },
  ],
  getMetadata: [
    { part: 0.955, status: 200, ms: [60, 900] },
    { part: 0.025, status: 422, error: 'unreachable', param: 'url', ms: [30, 2_400] },
    { part: 0.015, status: 408, error: 'timeout', param: 'timeout', ms: [10_000, 10_040] },
    { part: 0.005, status: 400, error: 'invalid_url', param: 'url', ms: [1, 2] },
  ],
  generatePdf: [
    { part: 0.975, status: 200, ms: [9, 190] },
    { part: 0.015, status: 422, error: 'render_failed', ms: [40, 900] },
    { part: 0.008, status: 400, error: 'invalid_parameter', param: 'margin_top', ms: [1, 3] },
    { part: 0.002, status: 503, error: 'overloaded', ms: [9_000, 10_000] },
  ],
  none: [{ part: 1, status: 404, error: 'not_found', ms: [1, 2] }],
};

const ROUTES: Readonly<Record<string, string>> = {
  validateEmail: 'GET /v1/email/validate',
  getMetadata: 'GET /v1/meta',
  generatePdf: 'POST /v1/pdf/generate',
};

const LIMIT = 600;
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Records the requests of the keys in the order of time, as the service would have. */
export async function recordExampleUsage(store: UsageStore, keys: readonly ExampleKey[]): Promise<void> {
  const random = createRandom(34);
  const events = keys.flatMap((key) => createEvents(key, random)).toSorted((a, b) => a.atMs - b.atMs);
  const prefix = Array.from({ length: 12 }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('');
  const recorder = createUsageRecorder({ store, now: () => PRESENT_MS });
  for (const [index, event] of events.entries()) {
    recorder.record({ ...event, requestId: `${prefix}-${index.toString(16).padStart(6, '0')}` });
    // The log drops lines if too many of them wait.
    if (index % 900 === 899) await recorder.flush();
  }
  await recorder.close();
}

function createEvents(key: ExampleKey, random: () => number): UsageEvent[] {
  const events: UsageEvent[] = [];
  const firstDayMs = PRESENT_MS - (PRESENT_MS % DAY_MS) - DAYS * DAY_MS;
  for (let day = 0; day <= DAYS; day += 1) {
    const weekday = new Date(firstDayMs + day * DAY_MS).getUTCDay();
    const isWeekend = weekday === 0 || weekday === 6;
    const growth = 0.7 + (day / DAYS) * 0.4 + (day === DAYS ? 0.12 : 0);
    const count = key.perDay * (isWeekend ? 0.45 : 1) * growth * (0.95 + random() * 0.1);
    for (const [hour, weight] of HOURS.entries()) {
      const startMs = firstDayMs + day * DAY_MS + hour * HOUR_MS;
      const expected = (count * weight) / HOURS_SUM;
      const requests = Math.floor(expected * (0.85 + random() * 0.3) + random());
      for (let at = 0; at < requests; at += 1) {
        const atMs = Math.floor(startMs + random() * HOUR_MS);
        if (atMs > key.fromMs && atMs < Math.min(key.untilMs, PRESENT_MS - 2_000))
          events.push(createEvent(key, atMs, random));
      }
    }
  }
  return events;
}

function createEvent({ accountId, id, mix }: ExampleKey, atMs: number, random: () => number): UsageEvent {
  const operation = choose(Object.entries(mix), random)[0];
  const outcomes = OUTCOMES[operation] ?? [];
  const outcome = choose(
    outcomes.map((one) => [one, one.part] as const),
    random,
  )[0];
  const { status, error, param } = outcome;
  const [from, to] = outcome.ms;
  // Most are fast, a few slow.
  const ms = Math.round(from + (to - from) * random() ** 5);
  const route = ROUTES[operation];
  const used = Math.floor(random() ** 2 * 220);
  return {
    accountId,
    keyId: id,
    operation,
    status,
    ms,
    atMs,
    requestId: '',
    ...(error && { error }),
    ...(param && { param }),
    ...(route && { route, units: status === 429 ? 0 : 1, limitPerMinute: LIMIT }),
    ...(route && { limitRemaining: status === 429 ? 0 : LIMIT - used }),
    ...(status < 400 && { phases: splitTime(operation, ms) }),
  };
}

function choose<T>(choices: readonly (readonly [T, number])[], random: () => number): readonly [T, number] {
  let rest = random() * choices.reduce((sum, [, weight]) => sum + weight, 0);
  for (const choice of choices) if ((rest -= choice[1]) < 0) return choice;
  return choices.at(-1) as readonly [T, number];
}

/** Divides the time of a request among the phases of its operation. */
function splitTime(operation: string, ms: number): UsageEvent['phases'] {
  const part = (share: number) => Math.round(ms * share);
  if (operation === 'getMetadata')
    return { dns: part(0.08), connect: part(0.22), first_byte: part(0.5), body: part(0.15) };
  if (operation === 'generatePdf') return { queue: part(0.05), load: part(0.45), print: part(0.45) };
  return operation === 'validateEmail' ? { dns: part(0.8) } : {};
}
