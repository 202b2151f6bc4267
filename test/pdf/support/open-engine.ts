import { availableParallelism } from 'node:os';
import {
  parsePdfRequest,
  type GeneratedPdf,
  type PdfEngine,
  type ResourceFailure,
  type WithSlot,
} from '#pdf';
import * as browser from '#browser';
import * as pdf from '#pdf';
import { openPdfEngineOf, type PdfEngineOptions } from './open-pdf-engine.ts';
import { createShares, withPlace, type ShareCapacities } from '#limits';

/** One line of the engine's log. */
export interface LogLine {
  level: 'info' | 'warn' | 'error';
  message: string;
  fields: object;
}

/** Shares slots between accounts as the service does. */
export function createWithSlot(slots: number, maxWaitMs?: number): WithSlot {
  const kinds = ['bodyBytes', 'emailRequests', 'metadataRequests', 'pdfRequests', 'pageConnections'];
  const capacities = Object.fromEntries([...kinds, 'dnsLookups'].map((kind) => [kind, 1])) as ShareCapacities;
  const shares = createShares({
    capacities: { ...capacities, browserPages: slots },
    maxBodyBytes: 1,
    now: () => performance.now(),
  });
  return (caller, signal, work) =>
    withPlace(
      shares,
      { kind: 'browserPages', holder: caller, signal, ...(maxWaitMs !== undefined && { maxWaitMs }) },
      work,
    );
}

/** Gives each render its slot at once: for callers that are no more than the slots. */
export const withoutQueue: WithSlot = (_caller, signal, work) => work(signal ?? new AbortController().signal);

/** The failure of resources that a test does not serve. */
export const NOT_SERVED: ResourceFailure = { failure: 'is not served' };
/** An engine for one test: `await using` closes it also if an assertion fails. */
export type TestEngine = PdfEngine & AsyncDisposable;

/** Returns the options of an engine that fetches no resources unless overridden; `lines` is its log. */
export function createEngineOptions(
  overrides: Partial<PdfEngineOptions> = {},
  lines: LogLine[] = [],
): PdfEngineOptions {
  const write =
    (level: LogLine['level']) =>
    (fields: object, message: string): void =>
      void lines.push({ level, message, fields });
  const slots = overrides.slots ?? availableParallelism();
  return {
    openResourceFetcher: () => () => Promise.resolve(NOT_SERVED),
    now: Date.now,
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    slots,
    withSlot: createWithSlot(slots),
    requireSandbox: false,
    rendererMemoryMb: 1_200,
    // Long, for machines with other work: tests of deadlines have their own.
    timeoutMs: 60_000,
    smallDocumentMs: 60_000,
    ...overrides,
  };
}

/** Opens an engine with the machine's browser and these options. */
export async function openEngine(...options: Parameters<typeof createEngineOptions>): Promise<TestEngine> {
  const engine = await openPdfEngineOf(browser, pdf, createEngineOptions(...options));
  return Object.assign(engine, { [Symbol.asyncDispose]: () => engine.close() });
}

/** Renders a request body. */
export function generate(
  engine: PdfEngine,
  body: Record<string, unknown>,
  keyId = 'test',
): Promise<GeneratedPdf> {
  return engine.generatePdf(parsePdfRequest(body), { keyId, accountId: keyId, slots: null });
}
