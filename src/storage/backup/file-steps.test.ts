import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { putInPlace } from './current-database.ts';
import { renameToNew } from './file-steps.ts';

describe('the steps of a restore', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'file-steps-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function write(...names: string[]): string[] {
    return names.map((name) => {
      const path = join(folder, name);
      writeFileSync(path, name);
      return path;
    });
  }

  it('a file does not get the name of one that appeared after the checks', async () => {
    const [from = '', to = ''] = write('draft', 'target');
    await assert.rejects(renameToNew(from, to), { code: 'EEXIST' });
    assert.equal(readFileSync(to, 'utf8'), 'target');
    rmSync(to);
    await renameToNew(from, to);
    assert.equal(readFileSync(to, 'utf8'), 'draft');
    assert.ok(!existsSync(from));
  });

  it('the logs of the replaced database get its new name, and do not stay beside the new database', async () => {
    const [draft = '', target = ''] = write(
      'draft',
      'data.db',
      'data.db-wal',
      'data.db-shm',
      'data.db-journal',
    );
    await putInPlace({ draft, target, kept: join(folder, 'kept.db') });
    assert.equal(readFileSync(target, 'utf8'), 'draft');
    assert.equal(readFileSync(join(folder, 'kept.db-wal'), 'utf8'), 'data.db-wal');
    const names = ['data.db', 'kept.db', 'kept.db-journal', 'kept.db-shm', 'kept.db-wal'];
    assert.deepEqual(readdirSync(folder).toSorted(), names);
  });

  it('an unused database is replaced with its logs', async () => {
    const [draft = '', target = ''] = write('draft', 'data.db', 'data.db-wal');
    await putInPlace({ draft, target, kept: null });
    assert.deepEqual(readdirSync(folder), ['data.db']);
  });
});
