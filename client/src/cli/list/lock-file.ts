import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { CliError, EXIT } from '../exit-codes.ts';

/**
 * Creates a lock file with the id of this process, so that two runs never write to one output. A lock whose
 * process has ended is replaced. Returns the function that removes it.
 */
export function lockFile(lock: string, path: string): () => void {
  for (let attempt = 0; ; attempt += 1)
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return () => rmSync(lock, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = readOwner(lock);
      if (attempt > 0 || isRunning(owner))
        throw new CliError(
          EXIT.usage,
          `Process ${owner} is writing ${path}. If it has ended, delete ${lock}.`,
        );
      rmSync(lock, { force: true });
    }
}

function readOwner(lock: string): number {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return 0;
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
