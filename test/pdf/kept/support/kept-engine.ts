/** An engine with one slot, whose documents come one after the other, and what new browsers print. */
import { parsePdfRequest } from '#pdf';
import type { PdfEngineOptions } from '../../support/open-pdf-engine.ts';
import { openEngine, type LogLine, type TestEngine } from '../../support/open-engine.ts';
import { ChangingSite, type Version } from './changing-site.ts';
import { PROBES } from './probes.ts';
import { takePrinters, watchPrinters } from './watch-printers.ts';

/**
 * True as soon as a renderer stays with its key. Until then each document with a script has a renderer of its
 * own, and the tests that count the documents of a kept one expect none.
 */
export const KEEPS_RENDERERS = true;

/** The time of the documents: the clock of a request without `now`. It stands still. */
const NOW = Date.parse('2029-01-02T03:04:05Z');

/** A document as it was printed. */
export interface Printed {
  pdf: Uint8Array;
  /** Its bytes without its dates. */
  bytes: string;
  warnings: readonly string[];
  /** The URLs that were requested meanwhile, sorted. */
  requested: readonly string[];
  /** The process id of its renderer. */
  pid: number;
  ms: number;
}

/** An engine that tests documents of one key after the other. */
export interface KeptEngine extends AsyncDisposable {
  engine: TestEngine;
  /** Returns the process id of the browser that it uses now. */
  browserPid: () => number;
  /** Prints a document while the site serves a version. */
  print: (body: Record<string, unknown>, keyId: string, version: Version) => Promise<Printed>;
}

/** Opens an engine with a browser of its own. */
export async function openKeptEngine(options: Partial<PdfEngineOptions> = {}): Promise<KeptEngine> {
  watchPrinters();
  const site = new ChangingSite();
  const openResourceFetcher = () => site.fetchResource;
  const lines: LogLine[] = [];
  const engine = await openEngine({ slots: 1, now: () => NOW, openResourceFetcher, ...options }, lines);
  return {
    engine,
    browserPid() {
      const ready = lines.findLast(({ message }) => message === 'the browser is ready');
      const { browserPid = 0 } = (ready?.fields ?? {}) as { browserPid?: number };
      return browserPid;
    },
    async print(body, keyId, version) {
      site.serve(version);
      takePrinters();
      const startedAt = performance.now();
      const caller = { keyId, accountId: keyId, slots: null };
      const { pdf, warnings } = await engine.generatePdf(parsePdfRequest(body), caller);
      const ms = performance.now() - startedAt;
      const [pid = 0] = takePrinters();
      return { pdf, bytes: withoutDates(pdf), warnings, requested: site.requested.toSorted(), pid, ms };
    },
    [Symbol.asyncDispose]: () => engine.close(),
  };
}

function withoutDates(pdf: Uint8Array): string {
  const text = Buffer.from(pdf).toString('latin1');
  return text.replace(/\/(?:Creation|Mod)Date \(D:[^)]*\)/g, '');
}

const references = new Map<string, Promise<Printed>>();

/** Returns a probe as a browser prints it that has printed nothing else. */
export function printAlone(probe: string): Promise<Printed> {
  const printed = references.get(probe) ?? printInNewBrowser(probe);
  references.set(probe, printed);
  return printed;
}

/** Prints a probe in another new browser. */
export async function printInNewBrowser(probe: string): Promise<Printed> {
  await using alone = await openKeptEngine();
  return await alone.print(PROBES[probe] ?? {}, 'alone', 'probe');
}
