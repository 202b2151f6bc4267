import { spawn, type ChildProcess } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { CdpConnection } from '../cdp/cdp-connection.ts';
import { listChromiumFlags } from './chromium-flags.ts';
import type { ChromiumBinary } from './find-chromium.ts';
import { BROWSER_UID, type Jail } from './jail.ts';
import { killProcess } from './process-identity.ts';
import { openRunFolder, type RunFolder } from './run-folder.ts';

/** A browser that has responded. */
export interface LaunchedBrowser {
  connection: CdpConnection;
  pid: number;
  network: 'namespace' | 'flags';
  sandbox: boolean;
  version: string;
  /** Resolves when its process has ended. */
  exited: Promise<void>;
  /** Kills the browser and its children, and removes its folder. Idempotent. */
  destroy(): Promise<void>;
}

const START_TIMEOUT_MS = 15_000;
const MIN_SHARED_MEMORY_BYTES = 512 * 1024 * 1024;
const KEPT_ERROR_CHARACTERS = 2_000;

/** Starts the browser in the given jail. Rejects with its error output if it does not respond. */
export async function launchBrowser(binary: ChromiumBinary, jail: Jail): Promise<LaunchedBrowser> {
  const changesUser = jail.user !== null || jail.prefix.some((word) => word.startsWith('--reuid='));
  const folder = openRunFolder(changesUser ? BROWSER_UID : null);
  const child = await spawnBrowser(binary, jail, folder).catch(async (error: unknown) => {
    // spawn() throws if the command line is too long or the process has no free descriptors.
    await folder.remove().catch(() => {});
    throw error;
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const destroy = async (): Promise<void> => {
    if (child.pid !== undefined) {
      killProcess(-child.pid);
      // The prefix may not have made the group yet.
      killProcess(child.pid);
    }
    await exited;
    // A pipe with unwritten data would keep this process alive.
    for (const stream of child.stdio ?? []) stream?.destroy();
    // What cannot be removed now is removed at the next start.
    await folder.remove().catch(() => {});
  };
  const getErrors = collectErrors(child);
  try {
    const connection = new CdpConnection(child.stdio[3] as Writable, child.stdio[4] as Readable);
    const { product } = await withinStartTime(connection.send('Browser.getVersion'));
    const pid = await findBrowserPid(connection);
    folder.recordBrowser(child.pid ?? pid);
    return {
      connection,
      pid,
      exited,
      destroy,
      version: product,
      sandbox: jail.sandbox,
      network: detectNetwork(pid, jail),
    };
  } catch (error) {
    await destroy();
    throw new Error(getErrors() || 'the browser did not start', { cause: error });
  }
}

async function spawnBrowser(binary: ChromiumBinary, jail: Jail, folder: RunFolder): Promise<ChildProcess> {
  const flags = listChromiumFlags({
    profileDir: join(folder.home, 'profile'),
    sandbox: jail.sandbox,
    useSharedMemory: await hasSharedMemory(),
  });
  const [command = binary.path, ...args] = [...jail.prefix, binary.path, ...flags];
  const child = spawn(command, args, {
    cwd: folder.home,
    env: createEnvironment(binary, folder),
    detached: !jail.hasOwnGroup,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    ...jail.user,
  });
  return child;
}

/** Finds the browser's own process: with a prefix, another process was started. */
async function findBrowserPid(connection: CdpConnection): Promise<number> {
  const { processInfo } = await connection.send('SystemInfo.getProcessInfo');
  const pid = processInfo.find(({ type }) => type === 'browser')?.id;
  if (pid === undefined) throw new Error('the browser did not name its process');
  return pid;
}

/**
 * Returns what the browser needs. The service's environment may hold secrets, so nothing of it is passed on.
 */
function createEnvironment(binary: ChromiumBinary, folder: RunFolder): Record<string, string> {
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: folder.home,
    TMPDIR: folder.home,
    LANG: 'en_US.UTF-8',
    TZ: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(binary.libraryFolder === null ? {} : { LD_LIBRARY_PATH: binary.libraryFolder }),
    ...(binary.fontconfigFile === null ? {} : { FONTCONFIG_FILE: binary.fontconfigFile }),
  };
}

/** Docker gives 64 MB of /dev/shm by default: too little for a large document. */
async function hasSharedMemory(): Promise<boolean> {
  return statfs('/dev/shm').then(
    ({ bavail, bsize }) => bavail * bsize >= MIN_SHARED_MEMORY_BYTES,
    () => false,
  );
}

/** Collects the end of the error output. */
function collectErrors(child: ChildProcess): () => string {
  let kept = '';
  child.on('error', (error) => (kept += error.message));
  child.stderr
    ?.setEncoding('utf8')
    .on('error', () => {})
    .on('data', (text: string) => (kept = (kept + text).slice(-KEPT_ERROR_CHARACTERS)));
  return () => kept.trim();
}

async function withinStartTime<T>(work: Promise<T>): Promise<T> {
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(
    () => timer.reject(new Error('the browser did not respond in time')),
    START_TIMEOUT_MS,
  );
  try {
    return await Promise.race([work, timer.promise]);
  } finally {
    clearTimeout(timeout);
  }
}

/** Asks the kernel, not the command line, whether the browser has a network namespace of its own. */
function detectNetwork(pid: number, jail: Jail): 'namespace' | 'flags' {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`) === readlinkSync('/proc/self/ns/net') ? 'flags' : 'namespace';
  } catch {
    return jail.network;
  }
}
