/** The entry of the threads of documents: runs their jobs. */
import { serveJobs } from '#concurrency';
import { prepareLayers, prepareRequest } from '../document/prepare-request.ts';
import { listTransferables, type JobMessage, type JobName, type WorkerJobs } from './worker-jobs.ts';

type RunJob<N extends JobName> = (input: WorkerJobs[N]['input']) => Promise<WorkerJobs[N]['output']>;

/** The function of each job. */
const JOBS: { [N in JobName]: RunJob<N> } = {
  prepareRequest: async (input) => prepareRequest(input),
  prepareLayers: async (input) => prepareLayers(input),
  // Only threads that finish PDFs load the PDF library.
  finishPdf: async (input) => (await import('../finish/finish-pdf.ts')).finishPdf(input),
};

function runJob<N extends JobName>({ name, input }: JobMessage<N>): Promise<WorkerJobs[N]['output']> {
  return JOBS[name](input);
}

serveJobs(runJob, listTransferables);
