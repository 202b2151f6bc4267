/**
 * Measures a first start: `npm run bench -- start`. Clones this checkout (its commits, not its changes), runs
 * `npm start` in the clone, with npm's cache as it is and with an empty one, and starts it again. Then it
 * builds the tree, packs and unpacks it, and starts it without npm. BENCH_ROUNDS sets the rounds.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = new URL('../', import.meta.url).pathname;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const folder = mkdtempSync(join(tmpdir(), 'measure-start-'));
// The browser runs as another user.
chmodSync(folder, 0o755);
/** Without what `npm run` has set for this script, such as the path of the project's own Node. */
const PATH = (process.env['PATH'] ?? '')
  .split(':')
  .filter((part) => !part.includes('node_modules'))
  .join(':');

try {
  for (let round = 1; round <= ROUNDS; round += 1) await measureRound(round);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureRound(round: number): Promise<void> {
  const at = (name: string): string => join(folder, `${name}-${round}`);
  await measureClone(`round ${round}, npm's cache as it is`, at('warm'), {});
  await measureClone(`round ${round}, npm's cache empty`, at('empty'), { npm_config_cache: at('npm') });
  await measureTree(`round ${round}, release archive`, at('warm'), at('release'));
  for (const name of ['warm', 'empty', 'npm', 'release']) rmSync(at(name), { recursive: true, force: true });
}

/** Measures the first and the second start in a clone, and what it has installed. */
async function measureClone(title: string, clone: string, env: Record<string, string>): Promise<void> {
  execFileSync('git', ['clone', '--quiet', ROOT, clone]);
  const cached = { ...env, CHROMIUM_CACHE: join(clone, '.cache') };
  report(`${title}: fresh clone → listening`, await start('npm', ['start'], clone, cached));
  report(`${title}: second start`, await start('npm', ['start'], clone, cached));
  const [size = ''] = execFileSync('du', ['-sm', 'node_modules'], { cwd: clone, encoding: 'utf8' }).split(
    '\t',
  );
  const lock = JSON.parse(readFileSync(join(clone, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, { link?: boolean; os?: string[] }>;
  };
  const packages = Object.values(lock.packages).filter(({ link }) => !link).length;
  console.log(`${title}: ${packages} packages, node_modules of ${size} MB`);
}

/** Measures a built tree from its archive. It starts with the Node of this script, and no npm. */
async function measureTree(title: string, clone: string, target: string): Promise<void> {
  const env = { ...process.env, PATH, CHROMIUM_CACHE: join(clone, '.cache') };
  execFileSync('npm', ['run', 'build', '--', '--with-node', '--out', join(target, 'tree')], {
    cwd: clone,
    env,
    stdio: 'ignore',
  });
  const archive = join(target, 'tree.tar.gz');
  execFileSync('tar', ['-C', target, '-czf', archive, 'tree']);
  rmSync(join(target, 'tree'), { recursive: true });
  const script = `tar -xzf ${archive} && exec ./tree/bin/start`;
  const cache = { CHROMIUM_CACHE: join(target, 'cache') };
  report(`${title}: unpack → listening`, await start('sh', ['-c', script], target, cache));
}

/** Starts a service on a free port and returns the seconds to its first /healthz. Stops it. */
async function start(
  command: string,
  args: string[],
  cwd: string,
  env: Record<string, string>,
): Promise<number> {
  const data = mkdtempSync(join(folder, 'data-'));
  const startedAt = performance.now();
  const child = spawn(command, args, {
    cwd,
    detached: true,
    env: { HOME: process.env['HOME'], PATH, PORT: '0', DATA_DIR: data, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let log = '';
  try {
    return await new Promise((resolve, reject) => {
      child.on('exit', (code) => reject(new Error(`${command} ended with ${code}:\n${log}`)));
      child.stdout.on('data', (chunk) => {
        log += String(chunk);
        if (/"http:\/\/\S+\/v1\//.test(log)) resolve((performance.now() - startedAt) / 1000);
      });
    });
  } finally {
    child.removeAllListeners('exit');
    const ended = new Promise((resolve) => child.once('close', resolve));
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
}

function report(title: string, seconds: number): void {
  console.log(`${title}: ${seconds.toFixed(1)} s (load ${loadavg()[0]?.toFixed(1)})`);
}
