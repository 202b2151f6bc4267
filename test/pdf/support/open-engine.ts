import { availableParallelism } from 'node:os';
import {
  openPdfEngine,
  parsePdfRequest,
  type GeneratedPdf,
  type PdfEngine,
  type AcquireSlot,
  type PdfEngineOptions,
} from '#pdf';
import { createShares, type ShareCapacities } from '#shares';

/** What the engine logged, for tests that read it. */
export interface LogLine {
  level: 'info' | 'warn' | 'error';
  message: string;
  fields: object;
}

/** The service's own way to share slots between accounts, with so many slots. */
export function createAcquireSlot(slots: number, maxWaitMs?: number): AcquireSlot {
  const kinds = ['bodyBytes', 'emailRequests', 'metadataRequests', 'pdfRequests', 'pageConnections'];
  const capacities = Object.fromEntries([...kinds, 'dnsLookups'].map((kind) => [kind, 1])) as ShareCapacities;
  const shares = createShares({
    capacities: { ...capacities, browserPages: slots },
    maxBodyBytes: 1,
    now: () => performance.now(),
  });
  return (caller, options) =>
    shares.acquire('browserPages', caller, maxWaitMs === undefined ? options : { ...options, maxWaitMs });
}

/** An engine on the machine's own browser. It fetches nothing unless the test says so. */
export async function openEngine(
  overrides: Partial<PdfEngineOptions> = {},
  lines: LogLine[] = [],
): Promise<PdfEngine> {
  const write =
    (level: LogLine['level']) =>
    (fields: object, message: string): void =>
      void lines.push({ level, message, fields });
  const slots = overrides.slots ?? availableParallelism();
  return openPdfEngine({
    openResourceFetcher: () => () => Promise.resolve(null),
    now: () => performance.now(),
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    slots,
    acquireSlot: createAcquireSlot(slots),
    requireSandbox: false,
    rendererMemoryMb: 1_200,
    timeoutMs: 30_000,
    ...overrides,
  });
}

/** Renders a request body as a caller would send it. */
export function generate(
  engine: PdfEngine,
  body: Record<string, unknown>,
  keyId = 'test',
): Promise<GeneratedPdf> {
  return engine.generatePdf(parsePdfRequest(body), { keyId, accountId: keyId, slots: null });
}
