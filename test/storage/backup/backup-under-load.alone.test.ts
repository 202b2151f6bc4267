/** A backup of a running service, restored into another folder. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hashKeySecret, isKeySecret } from '#accounts';
import { startApp } from '../../support/start-app.ts';
import { listModes, openFolders, runAdmin } from './folders.ts';

const WRITER = fileURLToPath(new URL('../key-writer.ts', import.meta.url));
const PATH = '/v1/email/validate?email=ann@example.com&check_mx=false';
const PERSON = JSON.stringify({ email: 'owner@example.com', password: 'correct horse battery' });
const HEADERS = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };

/** Starts a process that creates keys until it is killed, and collects those that it has acknowledged. */
function startWriter(dataDir: string): { secrets: string[]; ready: Promise<void>; stop(): Promise<void> } {
  const child = spawn(process.execPath, [WRITER, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const secrets: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  createInterface(child.stdout).on('line', (line) => {
    if (isKeySecret(line)) secrets.push(line);
    if (secrets.length >= 20) resolve();
  });
  const closed = once(child, 'close');
  return {
    secrets,
    ready: promise,
    async stop() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

it('a backup under load: each key acknowledged before it works after the restore, as do the password and the session; its files were private all the time', async () => {
  using folders = openFolders();
  await using service = await startApp({ PLANS: 'free=60000' });
  const signUp = await service.call('/account/sign-up', null, {
    method: 'POST',
    headers: HEADERS,
    body: PERSON,
  });
  assert.equal(signUp.status, 202);
  const signIn = await service.call('/account/sign-in', null, {
    method: 'POST',
    headers: HEADERS,
    body: PERSON,
  });
  const cookie = signIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const secret = await service.createKey('free');
  const writers = [startWriter(service.dataDir), startWriter(service.dataDir)];
  await Promise.all(writers.map(({ ready }) => ready));
  const acknowledged = [secret, ...writers.flatMap(({ secrets }) => secrets)];

  const ended = new AbortController();
  const requests = (async () => {
    let served = 0;
    for (; !ended.signal.aborted; served += 1) assert.equal((await service.call(PATH, secret)).status, 200);
    return served;
  })();
  const modes = new Set<string>();
  const watch = (async () => {
    for (; !ended.signal.aborted; await setImmediate())
      for (const mode of Object.values(listModes(folders.backups))) modes.add(mode);
  })();
  const result = await runAdmin(service.dataDir, ['backup', folders.file, '--json']);
  ended.abort();
  await watch;
  assert.ok((await requests) > 5, 'the service was under load');
  assert.equal(result.code, 0, result.stderr);
  const before = writers.map(({ secrets }) => secrets.length);
  for (const writer of writers) await writer.stop();
  assert.ok(
    before.every((count) => count > 20),
    'keys were created meanwhile',
  );

  // A umask of 0 hides nothing: these are the modes of the files and folders themselves.
  assert.deepEqual([...modes].toSorted(), ['d700', 'f600']);
  assert.deepEqual(listModes(folders.backups), { 'backup.db': 'f600' });
  const facts = JSON.parse(result.stdout) as { tables: { table: string; rows: number }[]; sha256: string };
  const keys = facts.tables.find(({ table }) => table === 'api_keys');
  assert.ok((keys?.rows ?? 0) >= acknowledged.length);

  const restored = await runAdmin(folders.dataDir, ['restore', folders.file, '--json']);
  assert.equal(restored.code, 0, restored.stderr);
  assert.equal((JSON.parse(restored.stdout) as { sha256: string }).sha256, facts.sha256);
  assert.deepEqual(listModes(folders.dataDir), { 'utility-api.db': 'f600', 'utility-api.lock': 'f600' });

  await using copy = await startApp({ DATA_DIR: folders.dataDir, PLANS: 'free=60000' });
  for (const key of acknowledged)
    assert.ok(await copy.app.storage.keys.findKeyBySecretHash(hashKeySecret(key)), 'a key is missing');
  assert.equal((await copy.call(PATH, secret)).status, 200);
  const profile = await copy.call('/account/keys', null, { headers: { ...HEADERS, cookie } });
  assert.equal(profile.status, 200, 'the session continues: its secret was restored');
  const again = await copy.call('/account/sign-in', null, { method: 'POST', headers: HEADERS, body: PERSON });
  assert.equal(again.status, 200, 'the password works');
});
