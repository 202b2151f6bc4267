/** deploy/systemd: the unit, its drop-in of secrets and the example of its environment. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { loadConfig } from '#config';
import { computeMemoryMb, findSettingFaults, parseMemoryMb } from './check-settings.ts';

const load = (name: string): string =>
  readFileSync(new URL(`../../deploy/systemd/${name}`, import.meta.url), 'utf8');

/** Returns the values of each directive of a unit. A line is `Name=value`; none is continued. */
function parseUnit(text: string): Map<string, string[]> {
  const lines = text.split('\n').filter((line) => line !== '' && !/^[#[]/.test(line));
  const pairs = lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  const groups = Map.groupBy(pairs, ([name = '']) => name);
  return new Map([...groups].map(([name, values]) => [name, values.map(([, value = '']) => value)]));
}

const parsePairs = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

describe('deploy/systemd', () => {
  const unit = parseUnit(load('utility-api.service'));
  const secrets = parseUnit(load('secrets.conf'));
  const example = parsePairs(load('environment.example').match(/^[A-Z].*$/gm) ?? []);
  const get = (name: string): string => unit.get(name)?.join(' ') ?? '';

  it('every variable is a setting, and its value starts the service', () => {
    assert.deepEqual(findSettingFaults({ ...parsePairs(unit.get('Environment') ?? []), ...example }), []);
  });

  it('each secret is the credential of its name, and a setting that a file may hold', () => {
    const files = parsePairs(secrets.get('Environment') ?? []);
    const credentials = (secrets.get('LoadCredential') ?? []).map((value) => value.split(':')[0]);
    assert.deepEqual(
      Object.values(files),
      credentials.map((name) => `%d/${name}`),
    );
    const sources = Object.keys(files).map((name) => [name, '/dev/null']);
    assert.deepEqual(findSettingFaults(Object.fromEntries(sources)), []);
  });

  it('the memory of the service holds what its settings allow', () => {
    assert.ok(parseMemoryMb(get('MemoryMax')) >= computeMemoryMb(loadConfig(example)));
    assert.equal(get('OOMPolicy'), 'continue');
  });

  it('a stop reaches the service alone, which has the time to drain', () => {
    assert.equal(get('KillMode'), 'mixed');
    const { shutdownDelayMs } = loadConfig(example);
    assert.ok(Number(get('TimeoutStopSec')) * 1000 >= shutdownDelayMs + 10_000);
  });

  it('Chromium has what its sandbox needs, and the service has no capability', () => {
    for (const name of ['user', 'net', 'pid']) assert.ok(get('RestrictNamespaces').split(' ').includes(name));
    for (const name of ['@system-service', 'chroot', 'seccomp'])
      assert.ok(get('SystemCallFilter').split(' ').includes(name));
    assert.deepEqual(unit.get('CapabilityBoundingSet'), ['']);
    assert.equal(get('NoNewPrivileges'), 'yes');
    assert.equal(get('ProtectSystem'), 'strict');
  });

  it('the start is that of the built tree, in the folder that the docs name', () => {
    assert.equal(get('ExecStart'), `${get('WorkingDirectory')}/bin/utility-api`);
    assert.ok(existsSync(new URL('../../scripts/tree/bin/utility-api', import.meta.url)));
  });

  it('the user of the service is created', () => {
    assert.match(load('utility-api.sysusers'), new RegExp(`^u ${get('User')} `, 'm'));
  });
});
