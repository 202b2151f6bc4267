/** The entry of the worker thread: runs one job after the other and replies to each. */
import { parentPort } from 'node:worker_threads';
import { JOBS, listTransferables, type JobMessage, type JobName, type JobReply } from './worker-jobs.ts';

async function reply<N extends JobName>({ name, input }: JobMessage<N>): Promise<void> {
  let message: JobReply;
  try {
    message = { output: await JOBS[name](input) };
  } catch (error) {
    message = { error: error instanceof Error ? error : new Error(String(error)) };
  }
  parentPort?.postMessage(message, listTransferables(message));
}

parentPort?.on('message', (message: JobMessage) => void reply(message));
