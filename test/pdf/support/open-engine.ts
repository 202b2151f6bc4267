import { availableParallelism } from 'node:os';
import {
  openPdfEngine,
  parsePdfRequest,
  type GeneratedPdf,
  type PdfEngine,
  type PdfEngineOptions,
} from '#pdf';

/** What the engine logged, for tests that read it. */
export interface LogLine {
  level: 'info' | 'warn' | 'error';
  message: string;
  fields: object;
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
  return openPdfEngine({
    openResourceFetcher: () => () => Promise.resolve(null),
    now: () => performance.now(),
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    slots: availableParallelism(),
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
  return engine.generatePdf(parsePdfRequest(body), { keyId });
}
