import { finishTagged } from '../accessible/finish-tagged.ts';
import { prepareRequest, type PreparedRequest } from '../document/prepare-request.ts';
import type { PdfRequest } from '../pdf-request.ts';

/** The work that the worker thread does, by name. Its input and its output are cloned or transferred. */
export interface WorkerJobs {
  prepareRequest: { input: PdfRequest; output: PreparedRequest };
  finishTagged: { input: { pdf: Uint8Array; fallbackTitle: string }; output: Uint8Array };
}

export type JobName = keyof WorkerJobs;

export interface JobMessage<N extends JobName = JobName> {
  name: N;
  input: WorkerJobs[N]['input'];
}

/** What the thread sends back, once per job. */
export type JobReply = { output: WorkerJobs[JobName]['output'] } | { error: Error };

type RunJob<N extends JobName> = (
  input: WorkerJobs[N]['input'],
) => WorkerJobs[N]['output'] | Promise<WorkerJobs[N]['output']>;

/** The function that does each job. */
export const JOBS: { [N in JobName]: RunJob<N> } = {
  prepareRequest: prepareRequest,
  finishTagged: ({ pdf, fallbackTitle }) =>
    finishTagged(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength), fallbackTitle),
};
