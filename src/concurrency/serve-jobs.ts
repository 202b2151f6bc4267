import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';

/** A thread's reply to a job of its WorkerQueue. */
export type JobReply<Output> = ({ output: Output } | { error: Error }) & {
  /** The heap of the thread after the job, including garbage that is not collected yet. */
  heapBytes: number;
};

/**
 * Runs the jobs of a WorkerQueue in its thread; `run` receives its messages. Outputs are cloned, except the
 * buffers of `listTransferables`, which are moved.
 */
export function serveJobs<Output>(
  run: (message: never) => Promise<Output>,
  listTransferables: (output: Output) => ArrayBuffer[] = () => [],
): void {
  const getHeapBytes = (): number => getHeapStatistics().used_heap_size;
  async function reply(message: unknown): Promise<void> {
    try {
      const output = await run(message as never);
      const answer: JobReply<Output> = { output, heapBytes: getHeapBytes() };
      parentPort?.postMessage(answer, listTransferables(output));
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      parentPort?.postMessage({ error, heapBytes: getHeapBytes() } satisfies JobReply<Output>, []);
    }
  }
  parentPort?.on('message', (message: unknown) => void reply(message));
}
