/** Checks the environment that a manifest sets with the real table of settings. */
import { type Config, ConfigError, loadConfig, SETTINGS, type Setting } from '#config';
import { THREAD_HEAP_MB } from '../../src/pdf/worker/document-worker.ts';

/** Variables that the image and Node read. */
const OF_NODE = new Set(['MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE']);

/** Returns one line for each variable that is no setting, and for each value that stops the start. */
export function findSettingFaults(env: Readonly<Record<string, string>>): string[] {
  const names = new Set(
    Object.values<Setting<unknown>>(SETTINGS).flatMap(({ env: name, secret }) =>
      secret ? [name, `${name}_FILE`] : [name],
    ),
  );
  const unknown = Object.keys(env)
    .filter((name) => !names.has(name) && !OF_NODE.has(name))
    .map((name) => `${name} is not a setting`);
  try {
    loadConfig(env);
    return unknown;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...unknown, ...error.problems];
  }
}

/** For the service beside its browser and bodies: heap, code, connections. */
const SERVICE_MEMORY_MB = 500;

/**
 * Returns the memory that a process with these settings may use before it refuses or kills work: each slot
 * and the browser's own process up to their limit, a thread that finishes a PDF for each slot, and the
 * service.
 */
export function computeMemoryMb(config: Config): number {
  const { operations, metaRender, pdfSlots, pdfRendererMemoryMb, bodyMemoryMb } = config;
  const hasBrowser = operations.has('pdf') || (metaRender && operations.has('metadata'));
  const browser = hasBrowser ? (pdfSlots + 1) * pdfRendererMemoryMb : 0;
  const finishing = operations.has('pdf') ? pdfSlots * THREAD_HEAP_MB : 0;
  return browser + finishing + bodyMemoryMb + SERVICE_MEMORY_MB;
}

/** Parses an amount of memory as Kubernetes, compose files or systemd write it. Returns MiB. */
export function parseMemoryMb(text: string): number {
  const [, amount, unit = ''] = /^(\d+)([mg])(?:i|b)?$/i.exec(text) ?? [];
  if (amount === undefined) throw new Error(`not an amount of memory: ${text}`);
  return Number(amount) * (unit.toLowerCase() === 'g' ? 1024 : 1);
}
