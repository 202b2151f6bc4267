/** The entry of the worker thread. */
import { serveJobs } from '#concurrency';
import { JOBS, listTransferables, type JobMessage, type JobName } from './worker-jobs.ts';

function runJob<N extends JobName>({ name, input }: JobMessage<N>) {
  return JOBS[name](input);
}

serveJobs(runJob, listTransferables);
