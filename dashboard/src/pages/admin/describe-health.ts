/** Describes the health of the service's parts in a few words each. */
import type { SystemHealth } from '../../api/admin-queries.ts';
import { formatBytes, formatCount, formatNumber } from '../../components/format.ts';

/** One part: its name, its state, and what is known about it. */
export interface PartState {
  name: string;
  meaning: 'ok' | 'warn' | 'bad' | 'off';
  /** The state in a word, for screen readers. */
  word: string;
  detail: string;
  /** The reason why it does not work. */
  reason: string | null;
}

const WORDS = { ok: 'working', warn: 'needs attention', bad: 'not working', off: 'not in use' } as const;

/** The 99th percentile of the event loop's delay from which responses are noticeably late. */
const SLOW_LOOP_MS = 100;

/** Describes all parts, in the order in which they are shown. Redis only if it is in use. */
export function describeHealth(health: SystemHealth): PartState[] {
  const { database, redis, browser, dns, mail, lists, usage } = health.parts;
  return [
    describeProcess(health),
    part('Database', database.ok ? 'ok' : 'bad', describeDatabase(database), database.reason),
    ...(redis
      ? [part('Redis', redis.ok ? 'ok' : 'bad', formatCount(redis.replicas, 'replica'), redis.reason)]
      : []),
    browser
      ? part('Chromium', describeLoad(browser), describeSlots(browser), browser.reason)
      : part('Chromium', 'off', 'Not in use'),
    part(
      'DNS',
      'ok',
      dns.servers.length === 0 ? 'System resolver' : formatCount(dns.servers.length, 'server'),
    ),
    part('Lists', lists.failed > 0 ? 'warn' : 'ok', describeLists(lists)),
    part('Counts', usage.unwritten_since === null ? 'ok' : 'bad', describeCounts(usage)),
    part('Mail', mail.configured ? 'ok' : 'off', mail.configured ? 'Configured' : 'Not configured'),
  ];
}

function part(
  name: string,
  meaning: PartState['meaning'],
  detail: string,
  reason: string | null = null,
): PartState {
  const isDown = meaning === 'bad' && reason !== null;
  return { name, meaning, word: WORDS[meaning], detail: isDown ? 'Not available' : detail, reason };
}

function describeProcess({ status, event_loop: loop, uncaught_errors: uncaught }: SystemHealth): PartState {
  if (status !== 'ready')
    return part('Process', 'bad', status === 'draining' ? 'Shutting down' : 'Not ready');
  const isSlow = loop.p99_ms >= SLOW_LOOP_MS || uncaught > 0;
  const delay = `Delay p99 ${formatMs(loop.p99_ms)}`;
  return part(
    'Process',
    isSlow ? 'warn' : 'ok',
    uncaught > 0 ? formatCount(uncaught, 'uncaught error') : delay,
  );
}

function describeDatabase({ kind, bytes }: SystemHealth['parts']['database']): string {
  return bytes === null ? kind : `${kind}, ${formatBytes(bytes)}`;
}

type Browser = NonNullable<SystemHealth['parts']['browser']>;

function describeLoad({ ok, queued }: Browser): PartState['meaning'] {
  if (!ok) return 'bad';
  return queued > 0 ? 'warn' : 'ok';
}

function describeSlots({ busy, slots, queued }: Browser): string {
  return queued > 0 ? `${formatNumber(queued)} waiting` : `${busy} of ${slots} renders`;
}

function describeLists({ failed, entries }: SystemHealth['parts']['lists']): string {
  return failed > 0 ? `${failed} not refreshed` : formatCount(entries, 'domain');
}

function describeCounts(usage: SystemHealth['parts']['usage']): string {
  return usage.unwritten_since === null
    ? 'Written'
    : `${formatCount(usage.buffered_rows, 'row')} not written`;
}

/** Formats milliseconds with one digit: "0.4 ms". */
export function formatMs(ms: number): string {
  return `${ms.toFixed(1)} ms`;
}

const DAY_SECONDS = 86_400;

/** Formats how long the process runs: "12 days", "3 hours", "5 minutes". */
export function formatUptime(seconds: number): string {
  if (seconds >= DAY_SECONDS) return formatCount(Math.floor(seconds / DAY_SECONDS), 'day');
  if (seconds >= 3600) return formatCount(Math.floor(seconds / 3600), 'hour');
  return seconds >= 60 ? formatCount(Math.floor(seconds / 60), 'minute') : 'less than a minute';
}
