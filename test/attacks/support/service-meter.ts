/**
 * Loaded into the service's process with `--import`. Measures the CPU time of the main thread per turn of the
 * event loop and the largest resident memory, and reports both over IPC. Without an IPC channel it does
 * nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { constants, PerformanceObserver } from 'node:perf_hooks';

/** The measurements since the last reset, in milliseconds and megabytes. */
export interface MeterReading {
  /**
   * The largest turn without the pauses of major garbage collections, which depend on the heap and not on one
   * request.
   */
  turnMs: number;
  /** The largest turn as it was. */
  turnWithGcMs: number;
  maxRssMb: number;
}

export interface MeterRequest {
  meter: 'reset' | 'read';
}

interface Span {
  startMs: number;
  endMs: number;
}

interface Turn extends Span {
  cpuMs: number;
}

/** Shorter turns cannot fail any bound. */
const KEPT_FROM_MS = 10;
const MAX_KEPT = 5000;

let turns: Turn[] = [];
let collections: Span[] = [];
let beforeCpu = process.threadCpuUsage();
let beforeMs = performance.now();

/**
 * A timer of 1 ms runs once per turn if turns are longer than that; between two samples there is one long
 * turn or some short ones.
 */
function sample(): void {
  const { user, system } = process.threadCpuUsage(beforeCpu);
  const cpuMs = (user + system) / 1000;
  const nowMs = performance.now();
  if (cpuMs >= KEPT_FROM_MS && turns.length < MAX_KEPT)
    turns.push({ startMs: beforeMs, endMs: nowMs, cpuMs });
  beforeCpu = process.threadCpuUsage();
  beforeMs = nowMs;
}

function keepMajor(entries: readonly PerformanceEntry[]): void {
  for (const entry of entries) {
    const { startTime, duration } = entry;
    const { kind } = (entry as PerformanceEntry & { detail: { kind: number } }).detail;
    const isMajor =
      kind === constants.NODE_PERFORMANCE_GC_MAJOR || kind === constants.NODE_PERFORMANCE_GC_INCREMENTAL;
    if (isMajor && collections.length < MAX_KEPT)
      collections.push({ startMs: startTime, endMs: startTime + duration });
  }
}

function withoutCollections({ startMs, endMs, cpuMs }: Turn): number {
  const pauses = collections.map((pause) =>
    Math.max(0, Math.min(endMs, pause.endMs) - Math.max(startMs, pause.startMs)),
  );
  return Math.max(0, cpuMs - pauses.reduce((sum, ms) => sum + ms, 0));
}

/** Linux keeps the peak and can reset it; elsewhere the peak of the process's life has to do. */
function readMaxRssMb(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}

function reset(): void {
  sample();
  turns = [];
  collections = [];
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // Not Linux, or not permitted: see readMaxRssMb.
  }
}

function read(): MeterReading {
  sample();
  const net = turns.map(withoutCollections);
  return {
    turnMs: Math.max(0, ...net),
    turnWithGcMs: Math.max(0, ...turns.map(({ cpuMs }) => cpuMs)),
    maxRssMb: readMaxRssMb(),
  };
}

if (process.send !== undefined) {
  const observer = new PerformanceObserver((list) => keepMajor(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  setInterval(sample, 1).unref();
  process.on('message', ({ meter }: MeterRequest) => {
    keepMajor(observer.takeRecords());
    if (meter === 'reset') reset();
    process.send?.(read());
  });
  // A test that was killed leaves no service behind.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // Waiting for messages must not keep a service alive that has stopped.
  process.channel?.unref();
}
