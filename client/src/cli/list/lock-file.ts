import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { CliError, EXIT } from '../exit-codes.ts';

/**
 * Creates a lock file with the id of this process, so that two runs never write to one output. A lock whose
 * process has ended is replaced. Returns the function that removes it.
 */
export function lockFile(lock: string, path: string): () => void {
  if (!createLock(lock, process.pid)) {
    const owner = readOwner(lock);
    // A lock without an id is being written by another run.
    if (owner === 0 || isRunning(owner) || !removeStale(lock) || !createLock(lock, process.pid))
      throw new CliError(
        EXIT.usage,
        `${owner === 0 ? 'Another run' : `Process ${owner}`} is writing ${path}. If it has ended, delete ${lock}.`,
      );
  }
  return () => rmSync(lock, { force: true });
}

function createLock(lock: string, owner: number): boolean {
  try {
    writeFileSync(lock, String(owner), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Removes the lock of a process that has ended, and keeps one that replaces it at the same time. */
function removeStale(lock: string): boolean {
  const removed = `${lock}.${randomUUID()}`;
  try {
    renameSync(lock, removed);
  } catch {
    return true;
  }
  const owner = readOwner(removed);
  const isStale = owner !== 0 && !isRunning(owner);
  if (isStale) rmSync(removed, { force: true });
  else renameSync(removed, lock);
  return isStale;
}

/** Returns the id in a lock; 0 if it has none, or is gone. */
function readOwner(lock: string): number {
  try {
    return Number.parseInt(readFileSync(lock, 'utf8'), 10) || 0;
  } catch {
    return 0;
  }
}

function isRunning(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
