import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';

/** A thread's reply to a job of its WorkerThread. */
export type JobReply<Output> = ({ output: Output } | { error: Error }) & {
  /** The heap of the thread after the job, including garbage that is not collected yet. */
  heapBytes: number;
  /** The CPU time since the reply before: of this job, and of the start of the thread. */
  cpuMs: number;
};

/**
 * Runs the jobs of a WorkerThread; `run` receives its messages. Outputs are cloned, except the
 * buffers of `listTransferables`, which are moved.
 */
export function serveJobs<Output>(
  run: (message: never) => Promise<Output>,
  listTransferables: (output: Output) => ArrayBuffer[] = () => [],
): void {
  let totalMs = 0;
  function measure(): Pick<JobReply<Output>, 'heapBytes' | 'cpuMs'> {
    const { user, system } = process.threadCpuUsage();
    const beforeMs = totalMs;
    totalMs = (user + system) / 1000;
    return { heapBytes: getHeapStatistics().used_heap_size, cpuMs: totalMs - beforeMs };
  }
  async function reply(message: unknown): Promise<void> {
    try {
      const output = await run(message as never);
      const answer: JobReply<Output> = { output, ...measure() };
      parentPort?.postMessage(answer, listTransferables(output));
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      parentPort?.postMessage({ error, ...measure() } satisfies JobReply<Output>, []);
    }
  }
  parentPort?.on('message', (message: unknown) => void reply(message));
}
