/** Runs a built tree as another user. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, copyFileSync, linkSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A user without an account and without files. */
const UID = 65_531;

export interface RunningTree extends AsyncDisposable {
  url: string;
  getLog(): string;
  /** Runs `bin/admin` and returns its output. */
  admin(...args: string[]): Promise<string>;
  /** Runs `bin/health-check.mjs` and returns its exit code. */
  checkHealth(): Promise<{ code: number; stderr: string }>;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
}

/** Starts the service of a tree that has a Node of its own. Its data are put into `folder`. */
export async function startTree(tree: string, folder: string): Promise<RunningTree> {
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const identity = process.getuid?.() === 0 ? { uid: UID, gid: UID } : {};
  if (identity.uid !== undefined) chownSync(dataDir, UID, UID);
  chmodSync(folder, 0o755);
  const env = {
    PATH: '/usr/bin:/bin',
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    EGRESS_ALLOW_CIDRS: '127.0.0.9/32',
  };
  const child = spawn(join(tree, 'bin/utility-api'), { cwd: '/', env, ...identity });
  const exited = once(child, 'exit');
  let log = '';
  const listening = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      const url = /listening on (http:[^"\s]+)/.exec(log)?.[1];
      if (url !== undefined && log.includes('bin/admin keys create')) listening.resolve(url);
    });
  child.on('exit', (code) => listening.reject(new Error(`the tree ended with ${code}: ${log}`)));
  const url = await listening.promise;
  const healthEnv = { ...env, HOST: '0.0.0.0', PORT: new URL(url).port };
  return {
    url,
    getLog: () => log,
    async admin(...args) {
      const { stdout } = await promisify(execFile)(join(tree, 'bin/admin'), args, {
        cwd: '/',
        env,
        ...identity,
      });
      return stdout;
    },
    checkHealth() {
      const script = join(tree, 'bin/health-check.mjs');
      return promisify(execFile)(join(tree, 'bin/node'), [script], {
        cwd: '/',
        env: healthEnv,
        ...identity,
      }).then(
        ({ stderr }) => ({ code: 0, stderr }),
        (error: { code: number; stderr: string }) => error,
      );
    },
    async stop() {
      child.kill('SIGTERM');
      return ((await exited) as [number | null])[0];
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Puts the Node of this process into a folder: another user may run it there, wherever it is now. */
export function installNode(folder: string): void {
  const path = join(folder, 'node');
  try {
    linkSync(process.execPath, path);
  } catch {
    copyFileSync(process.execPath, path);
  }
}
