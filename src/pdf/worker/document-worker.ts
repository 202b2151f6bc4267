import { WorkerPool, serveJobs, type WorkerOptions } from '#concurrency';
import { ApiError } from '#errors';
import type { FinishedPdf, FinishInput } from '../finish/finish-input.ts';
import type { ElectronicInvoice } from '../finish/finishing.ts';
import { type PreparedRequest, prepareRequest } from '../load/prepare-request.ts';
import type { PdfRequest } from '../pdf-request.ts';

/** The jobs of the threads, by name. Their inputs and outputs are cloned or transferred. */
interface WorkerJobs {
  checkInvoice: { input: ElectronicInvoice; output: CheckedInvoice };
  prepareRequest: { input: PdfRequest; output: PreparedRequest };
  finishPdf: { input: FinishInput; output: FinishedPdf };
}

/** The guideline that the XML of an invoice names, or a sentence for the client: what is wrong with it. */
type CheckedInvoice = { guideline: string } | { fault: string };

interface JobMessage<N extends keyof WorkerJobs = keyof WorkerJobs> {
  name: N;
  input: WorkerJobs[N]['input'];
}

type Jobs = { [N in keyof WorkerJobs]: (input: WorkerJobs[N]['input']) => Promise<WorkerJobs[N]['output']> };

const JOBS: Jobs = {
  async checkInvoice({ xml, profile }) {
    const { checkInvoiceXml } = await import('../finish/invoice/check-invoice-xml.ts');
    try {
      return { guideline: checkInvoiceXml(xml, profile) };
    } catch (error) {
      if (error instanceof ApiError) return { fault: error.message };
      throw error;
    }
  },
  prepareRequest: async (input) => prepareRequest(input),
  // The main thread and threads that only prepare documents do not load the PDF library.
  finishPdf: async (input) => (await import('../finish/finish-pdf.ts')).finishPdf(input),
};

/** The heap of a thread, of which there is one for each slot at most. */
export const THREAD_HEAP_MB = 512;

/**
 * Runs the work on large documents and invoices, and all that needs the PDF library, in threads: each job in
 * its own. There are as many as render slots.
 */
export class DocumentWorker {
  readonly #pool: WorkerPool<JobMessage, WorkerJobs[keyof WorkerJobs]['output']>;

  /** `overrides`: what tests replace. */
  constructor(overrides: Partial<WorkerOptions> = {}) {
    this.#pool = new WorkerPool({
      module: new URL(import.meta.url),
      name: 'pdf documents',
      heapMb: THREAD_HEAP_MB,
      // The library keeps each name and reference that it ever made, which would fill the heap.
      maxIdleHeapMb: 256,
      // Loading the PDF library takes longer than most jobs: a thread keeps it for a minute.
      idleMs: 60_000,
      ...overrides,
    });
  }

  /** The number of threads that run. */
  get threads(): number {
    return this.#pool.threads;
  }

  /**
   * Runs a job. Takes over the large buffers of its input: the caller's become empty. Rejects with
   * WorkerFailure, or with the signal's reason. An abort ends the thread.
   */
  run<N extends keyof WorkerJobs>(
    name: N,
    input: WorkerJobs[N]['input'],
    signal: AbortSignal,
  ): Promise<WorkerJobs[N]['output']> {
    return this.#pool.run({ name, input }, { transfer: listTransferables(input), signal });
  }

  /** Ends the threads; jobs in progress fail. */
  async close(): Promise<void> {
    await this.#pool.close();
  }
}

/**
 * Smaller buffers may be part of Node's pool, which cannot be transferred; cloning them costs next to
 * nothing.
 */
const MIN_BYTES = 64 * 1024;

/** Lists the buffers of a message that are transferred to the other thread instead of cloned, each once. */
function listTransferables(message: unknown): ArrayBuffer[] {
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
serveJobs(
  <N extends keyof WorkerJobs>({ name, input }: JobMessage<N>) => JOBS[name](input),
  listTransferables,
);
