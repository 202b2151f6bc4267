/** The command of the startup probe of pods with a browser, and errors planted into manifests. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { parse } from 'yaml';
import { findSettingFaults } from './check-settings.ts';
import type { Manifest } from './manifest.ts';
import { getContainer } from './overlay.ts';
import { findPodSecurityFaults } from './pod-security.ts';
import { validateManifest } from './validate-manifest.ts';

const BASE = new URL('../../deploy/kubernetes/base/', import.meta.url);

const loadManifest = (name: string): Manifest => parse(readFileSync(new URL(name, BASE), 'utf8')) as Manifest;

/** Runs the command of the probe with the address of another server, and returns its exit code. */
async function runStartupProbe(url: string): Promise<unknown> {
  const { startupProbe } = getContainer(loadManifest('browser.yaml'));
  const [program, ...args] = startupProbe?.exec?.command ?? [];
  assert.equal(program, 'node');
  const child = spawn(
    process.execPath,
    args.map((text) => text.replace('http://127.0.0.1:3000', url)),
    { stdio: 'ignore' },
  );
  return ((await once(child, 'exit')) as unknown[])[0];
}

it('a pod starts when its browser responds: the process alone is ready without one', async () => {
  let isStarted = false;
  // The body of /readyz, as test/api/settings/served-operations.test.ts gets it from the service.
  const server = createServer((_, reply) =>
    reply.end(JSON.stringify({ parts: { browser: { ok: isStarted } } })),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  assert.equal(await runStartupProbe(url), 1);
  isStarted = true;
  assert.equal(await runStartupProbe(url), 0);
  server.close();
  await once(server, 'close');
  assert.equal(await runStartupProbe(url), 1);
});

it('errors planted into a manifest are found', () => {
  const faulty = loadManifest('pod.yaml');
  Object.assign(faulty.spec ?? {}, { replicas: 'two', selector: {} });
  Object.assign(getContainer(faulty).securityContext, { runAsNonroot: true, capabilities: {} });
  assert.deepEqual(
    validateManifest(faulty).map((fault) => fault.split(' ', 1)[0]),
    ['/spec/replicas', '/spec/template/spec/containers/0/securityContext/runAsNonroot'],
  );
  assert.deepEqual(findPodSecurityFaults(faulty.spec?.template?.spec ?? { containers: [] }), [
    'utility-api: keeps capabilities',
  ]);
  const old = { ...loadManifest('service-account.yaml'), apiVersion: 'v1beta1' };
  assert.deepEqual(validateManifest(old), [
    'v1beta1 ServiceAccount is not a type that current clusters serve',
  ]);
});

it('variables that are no settings, and values that stop the start, are found', () => {
  assert.deepEqual(findSettingFaults({ PORTT: '1', PDF_SLOTS: 'many' }), [
    'PORTT is not a setting',
    'PDF_SLOTS must be auto or a whole number from 1 to 256; «many» is not.',
  ]);
});
