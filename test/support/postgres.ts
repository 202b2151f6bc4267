/**
 * A PostgreSQL server for tests: the one that TEST_DATABASE_URL names, else one that the test starts from the
 * programs that POSTGRES_PATH names, on the machine, or in a package of npm. Without any of them, tests are
 * skipped, and fail in CI.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { createDataFolder } from './postgres-data.ts';
import { TEST_CERTIFICATE, TEST_KEY } from './tls-identity.ts';
import { patientMs } from './patience.ts';

/** The user that runs the server if the test is root, which PostgreSQL refuses. */
const NOBODY = 65_534;
const START_MS = patientMs(30_000);
/** The loopback address that the certificate of the server names. */
export const TLS_ADDRESS = '127.93.184.14';

const given = process.env['TEST_DATABASE_URL'];
const binaries = await findPostgresBinaries();

const MISSING =
  'no PostgreSQL: set TEST_DATABASE_URL, set POSTGRES_PATH to the folder of its programs, install postgresql (15 or newer), or run npm ci with development and optional packages';
if (!given && binaries === null && process.env['CI']) throw new Error(MISSING);

/** The reason to skip tests that need a server; false if there is one. */
export const skipPostgres: string | false = given || binaries !== null ? false : MISSING;
/** The reason to skip tests that stop the server. */
export const skipOwnPostgres: string | false = binaries !== null ? false : MISSING;

export interface TestPostgres extends AsyncDisposable {
  /** Creates an empty database, and returns its URL. */
  createDatabase(): Promise<string>;
  /** Runs a statement on a connection of its own, by default to the first database; returns its rows. */
  query(sql: string, databaseUrl?: string): Promise<Record<string, unknown>[]>;
}

export interface OwnPostgres extends TestPostgres {
  port: number;
  /** Stops every process of the server: connections stay open and nothing is answered. */
  freeze(): void;
  thaw(): void;
  /** Kills every process of the server. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

let isServerShared = false;
let sharedServer: Promise<OwnPostgres> | null = null;

/** Makes all tests of this process that do not stop the server use one. Returns a function that stops it. */
export function sharePostgresServer(): () => Promise<void> {
  isServerShared = true;
  return async () => {
    await (await sharedServer)?.[Symbol.asyncDispose]();
  };
}

/** Returns a server for tests that do not stop it. */
export async function openPostgresServer(): Promise<TestPostgres> {
  if (given) return useServer(given, async () => {});
  if (!isServerShared) return startPostgres();
  sharedServer ??= startPostgres();
  return Object.assign({}, await sharedServer, { [Symbol.asyncDispose]: async () => {} });
}

let databases = 0;

function useServer(url: string, close: () => Promise<void>): TestPostgres {
  const created: string[] = [];
  async function query(sql: string, databaseUrl = url): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }
  return {
    query,
    async createDatabase() {
      const name = `test_${process.pid}_${databases++}`;
      await query(`create database ${name}`);
      created.push(name);
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    },
    async [Symbol.asyncDispose]() {
      if (given) for (const name of created) await query(`drop database ${name} with (force)`);
      await close();
    },
  };
}

/** Starts a server that the test can kill. `isDurable` makes it write its log to the disk. */
export async function startPostgres({ isDurable = false } = {}): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  await chmod(folder, 0o700);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(folder, NOBODY, NOBODY);
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const data = join(folder, 'data');
  await createDataFolder(binaries ?? '', data, user);
  const port = await findFreePort();
  const url = `postgres://postgres:secret-of-tests@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | null = null;
  let watchdog: ChildProcess | null = null;
  await writeIdentity(folder, isRoot);
  const settings = {
    port,
    listen_addresses: `127.0.0.1,${TLS_ADDRESS}`,
    ssl: 'on',
    ssl_cert_file: join(folder, 'certificate.pem'),
    ssl_key_file: join(folder, 'key.pem'),
    unix_socket_directories: folder,
    fsync: isDurable ? 'on' : 'off',
    full_page_writes: isDurable ? 'on' : 'off',
    max_connections: 200,
    shared_buffers: '32MB',
    // In the folder of its data: a killed server never removes POSIX segments from /dev/shm.
    dynamic_shared_memory_type: 'mmap',
  };
  const args = [
    '-D',
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];

  async function start(): Promise<void> {
    server = spawn(join(binaries ?? '', 'postgres'), args, { ...user, cwd: folder, stdio: 'ignore' });
    watchdog = startWatchdog(server.pid ?? 0);
    await waitUntilReady(url);
  }
  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (!server?.pid) return;
    watchdog?.kill('SIGKILL');
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    const children = signal === 'SIGKILL' ? listChildren(server.pid) : [];
    server.kill(signal);
    for (const pid of children) signalQuietly(pid, 'SIGKILL');
    await ended;
    server = null;
  }
  /** The first process stops first and continues last: meanwhile it would start others. */
  const listProcesses = (): number[] => (server?.pid ? [server.pid, ...listChildren(server.pid)] : []);
  await start();
  const shared = useServer(url, async () => {
    await stop('SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  return {
    ...shared,
    port,
    start,
    freeze() {
      server?.kill('SIGSTOP');
      for (const pid of listProcesses()) signalQuietly(pid, 'SIGSTOP');
    },
    thaw() {
      for (const pid of listProcesses().toReversed()) signalQuietly(pid, 'SIGCONT');
    },
    kill: () => stop('SIGKILL'),
  };
}

/** Starts a process that kills the server when the process of the test ends, however it ends. */
function startWatchdog(pid: number): ChildProcess {
  const watchdog = spawn('sh', ['-c', `read -r _; kill -KILL ${pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.unref();
  (watchdog.stdin as unknown as Socket).unref();
  return watchdog;
}

/** Stores the identity of the server, which is for TLS_ADDRESS. */
async function writeIdentity(folder: string, isRoot: boolean): Promise<void> {
  await writeFile(join(folder, 'certificate.pem'), TEST_CERTIFICATE, { mode: 0o644 });
  await writeFile(join(folder, 'key.pem'), TEST_KEY, { mode: 0o600 });
  if (isRoot)
    for (const name of ['certificate.pem', 'key.pem']) await chown(join(folder, name), NOBODY, NOBODY);
}

async function waitUntilReady(connectionString: string): Promise<void> {
  for (const deadline = performance.now() + START_MS; ; await delay(50)) {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: patientMs(2_000) });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The processes of the server have sessions of their own: a signal to a group does not reach them. */
function listChildren(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
    } catch {
      return false;
    }
  });
}

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
