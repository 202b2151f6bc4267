import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { findProcess, isRunning } from './run-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'process-identity-'));
after(() => rmSync(folder, { recursive: true }));

/** Starts a process whose command has this name. */
function startProcess(name: string) {
  const path = join(folder, name);
  symlinkSync('/bin/sleep', path);
  return spawn(path, ['100'], { stdio: 'ignore' });
}

void it('a process is known by the time of its start, whatever the name of its command', async () => {
  for (const name of ['plain', 'with (two) words', ') 1 2 3 4']) {
    const child = startProcess(name);
    await once(child, 'spawn');
    const pid = child.pid ?? 0;
    const identity = findProcess(pid);
    // In hundredths of a second since boot, and so after this process.
    assert.ok(Number(identity?.startedAt) > Number(findProcess(process.pid)?.startedAt), name);
    assert.ok(identity && isRunning(identity));
    assert.equal(
      isRunning({ pid, startedAt: `${Number(identity.startedAt) - 1}` }),
      false,
      'an id used again',
    );
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    assert.equal(isRunning(identity), false);
    assert.equal(findProcess(pid), null);
  }
});
