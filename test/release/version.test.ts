/** The version of the service is set in package.json, and every place that shows it agrees. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { startApp } from '../support/start-app.ts';

const path = (name: string): URL => new URL(`../../${name}`, import.meta.url);
const load = (name: string): string => readFileSync(path(name), 'utf8');
const { version } = JSON.parse(load('package.json')) as { version: string };

/** The places that repeat the version, and its pattern in each. */
const PLACES: Record<string, RegExp> = {
  'client/package.json': /^  "version": "(.*)",$/m,
  'client/python/pyproject.toml': /^version = "(.*)"$/m,
  'openapi.json': /^    "version": "(.*)",$/m,
  'package-lock.json': /^  "version": "(.*)",$/m,
  Dockerfile: /image\.version="(.*)"/,
  'compose.yaml': /image: utility-api:(.*)$/m,
  'compose.cluster.yaml': /image: utility-api:(.*)$/m,
  'deploy/kubernetes/base/kustomization.yaml': /newTag: (.*)$/m,
  'deploy/kubernetes/overlays/production/kustomization.yaml': /newTag: (.*)$/m,
};

for (const [name, pattern] of Object.entries(PLACES))
  it(`${name} has the version of package.json`, { skip: !existsSync(path(name)) }, () => {
    assert.equal(pattern.exec(load(name))?.[1], version);
  });

it('the lock has the version of each package of this repository', () => {
  const { packages } = JSON.parse(load('package-lock.json')) as {
    packages: Record<string, { version?: string }>;
  };
  assert.deepEqual([packages['']?.version, packages['client']?.version], [version, version]);
});

it('the service shows the version of package.json in /openapi.json', async () => {
  await using service = await startApp();
  const { info } = (await (await service.call('/openapi.json')).json()) as { info: { version: string } };
  assert.equal(info.version, version);
});
