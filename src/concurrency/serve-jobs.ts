import { parentPort } from 'node:worker_threads';

/** The reply of the thread of a WorkerQueue to a job. */
export type JobReply<Output> = { output: Output } | { error: Error };

/**
 * Runs the jobs of a WorkerQueue in its thread; `run` receives its messages. Outputs are cloned, except the
 * buffers of `listTransferables`, which are moved.
 */
export function serveJobs<Output>(
  run: (message: never) => Output | Promise<Output>,
  listTransferables: (output: Output) => ArrayBuffer[] = () => [],
): void {
  async function reply(message: unknown): Promise<void> {
    try {
      const output = await run(message as never);
      parentPort?.postMessage({ output } satisfies JobReply<Output>, listTransferables(output));
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      parentPort?.postMessage({ error } satisfies JobReply<Output>, []);
    }
  }
  parentPort?.on('message', (message: unknown) => void reply(message));
}
