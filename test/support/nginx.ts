/**
 * nginx with deploy/nginx.conf, for tests: NGINX_PATH, else the one of the machine, else Debian's package.
 * Without any, tests are skipped with the reason; in CI the file fails.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findServer } from './find-server.ts';
import { findFreePorts } from './free-ports.ts';
import { patientMs } from './patience.ts';

const EXAMPLE = new URL('../../deploy/nginx.conf', import.meta.url);
const START_MS = patientMs(15_000);

const program = findServer({
  title: 'nginx',
  variable: 'NGINX_PATH',
  choices: [{ name: 'nginx', packages: ['nginx'] }],
});

/** The reason why tests that need nginx are skipped, or false. */
export const skipNginx: string | false = typeof program === 'string' ? program : false;

export interface Nginx extends AsyncDisposable {
  url: string;
  /** Reads the configuration again, with these replicas. Requests in flight complete. */
  reload(ports: readonly number[]): Promise<void>;
  /** Returns the lines of the access log, each with the statuses of the replicas that were tried. */
  loadAccessLog(): Promise<{ request: string; status: number; tries: string[] }[]>;
  loadErrorLog(): Promise<string>;
}

/** Starts nginx on a free port, before the replicas on these ports. */
export async function startNginx(ports: readonly number[]): Promise<Nginx> {
  if (typeof program === 'string') throw new Error(program);
  const folder = await mkdtemp(join(tmpdir(), 'utility-api-nginx-'));
  for (const name of ['body', 'proxy', 'other']) await mkdir(join(folder, name));
  const [port = 0] = await findFreePorts(1);
  const url = `http://127.0.0.1:${port}`;
  await writeConfiguration(folder, port, ports);
  const child = spawn(program.path, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'error.log'], {
    stdio: 'ignore',
    env: { ...process.env, LD_LIBRARY_PATH: program.libraries.join(':') },
  });
  const loadErrorLog = (): Promise<string> => readFile(join(folder, 'error.log'), 'utf8');
  await waitUntilListening(child, url, loadErrorLog);
  return {
    url,
    loadErrorLog,
    async reload(changed) {
      await writeConfiguration(folder, port, changed);
      child.kill('SIGHUP');
      while (!(await loadErrorLog()).includes('reconfiguring')) await delay(10);
    },
    async loadAccessLog() {
      const text = await readFile(join(folder, 'access.log'), 'utf8');
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const [request = '', status, tries = ''] = line.split('\t');
          return { request, status: Number(status), tries: tries.split(', ') };
        });
    },
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await exited;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Writes the example with other addresses, inside what Debian's /etc/nginx/nginx.conf has around it. */
async function writeConfiguration(folder: string, port: number, ports: readonly number[]): Promise<void> {
  const servers = /^( *)server 127\.0\.0\.1:\d+( .*);$/gm;
  const example = await readFile(EXAMPLE, 'utf8');
  const [line] = [...example.matchAll(servers)];
  if (line === undefined) throw new Error('deploy/nginx.conf has no line «server 127.0.0.1:…»');
  let isFirst = true;
  const site = example
    .replaceAll(servers, () => {
      const lines = isFirst ? ports.map((each) => `${line[1]}server 127.0.0.1:${each}${line[2]};`) : [];
      isFirst = false;
      return lines.join('\n');
    })
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('listen [::]:80;', '');
  await writeFile(join(folder, 'site.conf'), site);
  await writeFile(join(folder, 'nginx.conf'), formatMain(folder));
}

function formatMain(folder: string): string {
  const isRoot = process.getuid?.() === 0;
  return `${isRoot ? 'user root root;' : ''}
daemon off;
worker_processes 2;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log notice;
worker_rlimit_nofile 16384;
events { worker_connections 8192; }
http {
  log_format tries '$request_method $uri\t$status\t$upstream_status';
  access_log ${folder}/access.log tries;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/other;
  uwsgi_temp_path ${folder}/other;
  scgi_temp_path ${folder}/other;
  include ${folder}/site.conf;
}
`;
}

async function waitUntilListening(
  child: ChildProcess,
  url: string,
  loadErrorLog: () => Promise<string>,
): Promise<void> {
  for (const startedAt = performance.now(); ; await delay(20)) {
    const isListening = await fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    );
    if (isListening) return;
    if (child.exitCode !== null || performance.now() - startedAt > START_MS)
      throw new Error(`nginx does not start:\n${await loadErrorLog().catch(() => '')}`);
  }
}
