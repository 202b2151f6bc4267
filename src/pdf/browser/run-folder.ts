import { chownSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning, killProcess, markProcess, type ProcessMark } from './process-mark.ts';

/** A browser's own folder: its home, profile and temporary files, and a note of who started it. */
export interface RunFolder {
  path: string;
  home: string;
  /** Writes down the browser's process, so that a later start of the service can end it. */
  recordBrowser(pid: number): void;
  remove(): Promise<void>;
}

interface Owner {
  service: ProcessMark | null;
  browser: ProcessMark | null;
}

const PREFIX = 'utility-api-browser-';

/** Makes the folder; the browser's user, where it is another, owns only the home in it. */
export function openRunFolder(uid: number | null): RunFolder {
  const path = mkdtempSync(join(tmpdir(), PREFIX));
  const home = join(path, 'home');
  const owner: Owner = { service: markProcess(process.pid), browser: null };
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
      owner.browser = markProcess(pid);
      write();
    },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }),
  };
}

/** Ends the browsers and removes the folders of services that were killed; answers how many there were. */
export async function sweepRunFolders(): Promise<number> {
  const names = await readdir(tmpdir()).catch(() => []);
  const swept = await Promise.all(
    names.filter((name) => name.startsWith(PREFIX)).map((name) => sweep(join(tmpdir(), name))),
  );
  return swept.filter(Boolean).length;
}

async function sweep(path: string): Promise<boolean> {
  const owner = await readOwner(path);
  if (!owner || (owner.service && isRunning(owner.service))) return false;
  // The note is trusted only so far: the process must be the one it names, and must have been started for this folder.
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

/** The note in a folder that is this user's own; what another user put there is none of our business. */
async function readOwner(path: string): Promise<Owner | null> {
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
