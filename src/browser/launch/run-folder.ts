import { chownSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProcess, isRunning, killProcess, type ProcessIdentity } from './process-identity.ts';

/**
 * The folder of one browser: its home, profile and temporary files, and a record of its process and the
 * service.
 */
export interface RunFolder {
  path: string;
  home: string;
  /** Records the browser's process, so that a later start of the service can end it. */
  recordBrowser(pid: number): void;
  remove(): Promise<void>;
}

interface Owner {
  service: ProcessIdentity | null;
  browser: ProcessIdentity | null;
}

const PREFIX = 'utility-api-browser-';

/** Creates the folder. If the browser has a user of its own, that user owns only the home in it. */
export function openRunFolder(uid: number | null): RunFolder {
  const path = mkdtempSync(join(tmpdir(), PREFIX));
  const home = join(path, 'home');
  const owner: Owner = { service: findProcess(process.pid), browser: null };
  const write = (): void => writeFileSync(join(path, 'owner.json'), JSON.stringify(owner), { mode: 0o600 });
  try {
    write();
    mkdirSync(home, { mode: 0o700 });
    if (uid !== null) {
      chownSync(home, uid, uid);
      chmodSync(path, 0o711);
    }
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
  return {
    path,
    home,
    recordBrowser(pid) {
      owner.browser = findProcess(pid);
      write();
    },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }),
  };
}

/** Ends the browsers and removes the folders of services that were killed. Returns how many there were. */
export async function sweepRunFolders(): Promise<number> {
  const names = await readdir(tmpdir()).catch(() => []);
  const swept = await Promise.all(
    names.filter((name) => name.startsWith(PREFIX)).map((name) => sweep(join(tmpdir(), name))),
  );
  return swept.filter(Boolean).length;
}

async function sweep(path: string): Promise<boolean> {
  const owner = await loadOwner(path);
  if (!owner || (owner.service && isRunning(owner.service))) return false;
  // The record may be wrong: kill only the very process it names, and only if it was started for this folder.
  if (
    owner.browser &&
    isRunning(owner.browser) &&
    (await readCommandLine(owner.browser.pid)).includes(path)
  ) {
    killProcess(-owner.browser.pid);
    killProcess(owner.browser.pid);
  }
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }).catch(() => {});
  return true;
}

/** Loads the record of a folder; null if it has none, or if another user created the folder. */
async function loadOwner(path: string): Promise<Owner | null> {
  try {
    if ((await stat(path)).uid !== process.getuid?.()) return null;
    return JSON.parse(await readFile(join(path, 'owner.json'), 'utf8')) as Owner;
  } catch {
    return null;
  }
}

async function readCommandLine(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}
