/** `bin/start` of the built tree. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { promisify } from 'node:util';

const bin = mkdtempSync(join(tmpdir(), 'start-tree-'));
after(() => rmSync(bin, { recursive: true, force: true }));

it('starts the service while the set-up is still running', { timeout: 60_000 }, async () => {
  copyFileSync('scripts/tree/bin/start', join(bin, 'start'));
  const write = (name: string, commands: string): void =>
    writeFileSync(join(bin, name), `#!/bin/sh\ncd '${bin}'\n${commands}\n`, { mode: 0o755 });
  // Each waits for the other: one after the other, they would not end.
  write('setup', 'touch unpacking; until [ -e listening ]; do sleep 0.01; done');
  write('utility-api', 'until [ -e unpacking ]; do sleep 0.01; done; touch listening; echo "$*"');
  const { stdout } = await promisify(execFile)('sh', [join(bin, 'start'), '--some', 'argument']);
  assert.equal(stdout, '--some argument\n');
  assert.ok(existsSync(join(bin, 'listening')));
});
