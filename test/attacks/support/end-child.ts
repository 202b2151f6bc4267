import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends a process that this one forked. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
