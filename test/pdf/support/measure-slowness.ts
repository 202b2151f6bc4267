import type { PdfEngine } from '#pdf';
import { invoice } from '../documents/invoice.ts';
import { generate } from './open-engine.ts';

/** Longer than an invoice takes in the warm lane if no other process uses the CPU, which is 30 ms. */
const UNLOADED_MS = 150;
const MAX_SLOWNESS = 12;
const DOCUMENTS = 3;

/**
 * Returns the factor by which other processes slow down the machine now; at least 1. Deadlines of tests are
 * multiplied by it.
 */
export async function measureSlowness(engine: PdfEngine): Promise<number> {
  const startedAt = performance.now();
  for (let n = 0; n < DOCUMENTS; n += 1) await generate(engine, { html: invoice(), wait_for: 0 });
  const averageMs = (performance.now() - startedAt) / DOCUMENTS;
  return Math.min(MAX_SLOWNESS, Math.max(1, averageMs / UNLOADED_MS));
}
