import type { FinishInput } from '../finish/finish-input.ts';
import type { Warnings } from '../warnings/warnings.ts';
import { finishPdfOffThread, type OffThreadLimits } from './off-thread.ts';

/** Finishes a PDF in the worker, and adds its warnings. Throws ApiError, also for what the PDF cannot be. */
export async function finishInWorker(
  input: FinishInput,
  { warnings, ...limits }: OffThreadLimits & { warnings: Warnings },
): Promise<Uint8Array> {
  const finished = await finishPdfOffThread(input, limits);
  for (const { kind, text } of finished.warnings) warnings.add(kind, text);
  return finished.pdf;
}
