interface Job {
  slice: () => boolean;
  resolve: () => void;
  reject: (error: unknown) => void;
}

const jobs: Job[] = [];

/**
 * Runs long work of the main thread in slices until `slice` returns true. Each turn of the event loop runs one slice of one
 * job, whatever the number of jobs; they alternate. Rejects with what `slice` throws.
 */
export function runInSlices(slice: () => boolean): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  jobs.push({ slice, resolve, reject });
  if (jobs.length === 1) setImmediate(runNext);
  return promise;
}

function runNext(): void {
  const job = jobs[0];
  if (!job) return;
  let isDone = true;
  try {
    isDone = job.slice();
    if (isDone) job.resolve();
  } catch (error) {
    job.reject(error);
  }
  jobs.shift();
  if (!isDone) jobs.push(job);
  if (jobs.length > 0) setImmediate(runNext);
}
