import { serveJobs } from '#concurrency';
import type { FinishedPdf, FinishInput } from '../finish/finish-input.ts';
import { type PreparedRequest, prepareRequest } from '../load/prepare-request.ts';
import type { PdfRequest } from '../pdf-request.ts';

/** The jobs of the worker thread, by name. Their inputs and outputs are cloned or transferred. */
export interface WorkerJobs {
  prepareRequest: { input: PdfRequest; output: PreparedRequest };
  finishPdf: { input: FinishInput; output: FinishedPdf };
}

export type JobName = keyof WorkerJobs;

export interface JobMessage<N extends JobName = JobName> {
  name: N;
  input: WorkerJobs[N]['input'];
}

/** The function of each job. */
const JOBS: { [N in JobName]: (input: WorkerJobs[N]['input']) => Promise<WorkerJobs[N]['output']> } = {
  prepareRequest: async (input) => prepareRequest(input),
  // Only threads that finish PDFs load the PDF library.
  finishPdf: async (input) => (await import('../finish/finish-pdf.ts')).finishPdf(input),
};

/**
 * Smaller buffers may be part of Node's pool, which cannot be transferred; cloning them costs next to
 * nothing.
 */
const MIN_BYTES = 64 * 1024;

/** Lists the buffers of a message that are transferred to the other thread instead of cloned, each once. */
export function listTransferables(message: unknown): ArrayBuffer[] {
  return [...new Set(findBuffers(message))];
}

function findBuffers(message: unknown): ArrayBuffer[] {
  if (message instanceof Uint8Array) {
    const { buffer } = message;
    return message.byteLength >= MIN_BYTES && buffer instanceof ArrayBuffer ? [buffer] : [];
  }
  if (typeof message !== 'object' || message === null) return [];
  return Object.values(message).flatMap(findBuffers);
}

// This file is the entry of the threads. In the main thread, there is nothing to serve.
serveJobs(<N extends JobName>({ name, input }: JobMessage<N>) => JOBS[name](input), listTransferables);
