/** The smoke test of the image: what it must do under the restrictions that the docs recommend. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BuiltImage } from './build-image.ts';
import { type Container, loadSeccomp, startContainer } from './container.ts';

const CALLS = fileURLToPath(new URL('call-service.ts', import.meta.url));
const START_MS = 60_000;

interface SmokeOptions extends BuiltImage {
  folder: string;
  profile: string;
  report: (done: string) => void;
}

/** Runs the image, calls it and stops it. Throws if a promise of docs/operate/install.md does not hold. */
export async function runSmokeTest(options: SmokeOptions): Promise<void> {
  checkConfig(options.config);
  await checkService(options);
  await checkDefaultProfile(options);
}

function checkConfig(config: BuiltImage['config']): void {
  assert.equal(config.User, '10001:10001');
  assert.deepEqual(Object.keys(config.ExposedPorts), ['3000/tcp']);
  assert.deepEqual(Object.keys(config.Volumes), ['/data']);
  assert.equal(config.StopSignal, 'SIGTERM');
  assert.equal(config.Entrypoint[0], 'tini');
}

function start(
  { config: image, rootfs, folder }: SmokeOptions,
  name: string,
  profile: ReturnType<typeof loadSeccomp>,
): Container {
  const bundle = join(folder, name);
  mkdirSync(bundle);
  const env = { EGRESS_ALLOW_CIDRS: '127.0.0.9/32', PDF_REQUIRE_SANDBOX: 'true' };
  return startContainer({
    name: `${name}-${process.pid}`,
    image,
    rootfs,
    folder: bundle,
    seccomp: profile,
    env,
  });
}

/** The service with the shipped profile: every operation, the sandbox, and its end. */
async function checkService(options: SmokeOptions): Promise<void> {
  const container = start(options, 'service', loadSeccomp(options.profile));
  try {
    await waitForLog(container, /listening on /);
    options.report('the service listens');
    await waitForLog(container, /the browser is ready|no browser could be started/);
    assert.match(container.getLog(), /"network":"namespace","sandbox":true/, container.getLog());
    const health = container.exec(...options.config.Healthcheck.Test.slice(1));
    assert.equal(health.status, 0, health.output);
    const key = container.exec('admin', 'keys', 'create', '--email', 'ann@example.com');
    assert.equal(key.status, 0, key.output);
    assert.match(key.output, /^ua_live_\w+$/);
    await call(container, key.output).finished;
    checkRestrictions(container);
    options.report("each operation works; Chromium's sandbox is ON, in an empty network namespace");
    const inFlight = call(container, key.output, 'drain');
    await inFlight.sent;
    const code = await container.stop();
    await inFlight.finished;
    assert.equal(code, 0, container.getLog());
    options.report('SIGTERM finished the document in flight and ended with 0');
  } catch (error) {
    console.error(container.getLog());
    throw error;
  } finally {
    await container.remove();
  }
}

/** Checks the rights of the processes as the kernel has them, and that nothing else can be written. */
function checkRestrictions(container: Container): void {
  const status = readFileSync(`/proc/${container.getPid()}/status`, 'utf8');
  for (const line of [
    /^Uid:\s+10001\s/m,
    /^CapBnd:\s+0+$/m,
    /^CapEff:\s+0+$/m,
    /^NoNewPrivs:\s+1$/m,
    /^Seccomp:\s+2$/m,
  ])
    assert.match(status, line);
  for (const path of ['/app/x', '/app/compile-cache/x', '/usr/x', '/var/cache/utility-api/x', '/etc/x']) {
    const { status, output } = container.exec('sh', '-c', `: > ${path}`);
    assert.notEqual(status, 0, path);
    assert.match(output, /Read-only file system|Permission denied/);
  }
}

/** With Docker's default profile Chromium has no sandbox: the shipped one is needed. */
async function checkDefaultProfile(options: SmokeOptions): Promise<void> {
  const profile = loadSeccomp(options.profile);
  const container = start(options, 'default', { ...profile, syscalls: profile.syscalls.slice(0, -1) });
  try {
    await waitForLog(container, /the browser is ready|no browser could be started/);
    assert.match(container.getLog(), /no browser could be started/);
    options.report("with Docker's default profile the browser does not start (PDF_REQUIRE_SANDBOX=true)");
  } finally {
    await container.remove();
  }
}

/** Calls the service in the network of the container, which has nothing but loopback. */
function call(container: Container, ...args: string[]): { sent: Promise<void>; finished: Promise<void> } {
  const child = spawn(
    'nsenter',
    [`--net=/proc/${container.getPid()}/ns/net`, process.execPath, CALLS, '3000', ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const sent = Promise.withResolvers<void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text);
    if (text.includes('sent')) sent.resolve();
  });
  const finish = async (): Promise<void> => {
    const [code] = (await once(child, 'exit')) as [number | null];
    sent.resolve();
    assert.equal(code, 0, `the calls failed: ${container.getLog()}`);
  };
  return { sent: sent.promise, finished: finish() };
}

async function waitForLog(container: Container, pattern: RegExp): Promise<void> {
  const end = performance.now() + START_MS;
  while (!pattern.test(container.getLog())) {
    if (container.hasEnded() || performance.now() > end)
      throw new Error(`the log has no ${pattern}:\n${container.getLog()}`);
    await delay(100);
  }
}
